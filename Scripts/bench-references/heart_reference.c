/* The reference of `rangers-tools bench heart` in C: it binds and steps the bytes that our heart wrote,
 * and nothing else.
 *
 * usage: heart_reference FILE SQL-FILE TICKS BATCH
 *
 * FILE is a copy of a file that our heart wrote: each party's row and newest journal row are read
 * into memory, in the order in which they were written. Then both are written again and again, in
 * that order, BATCH parties a transaction. FILE must not be in use.
 *
 * A line of SQL-FILE is a word and a statement, so that the statements stay ours:
 *   open     once, on each connection
 *   begin    once a transaction
 *   update   a party: ?1 version, ?2 state, ?3 checksum, ?4 key, ?5 awake; it changes one row
 *   journal  a change: ?1 party, ?2 version, ?3 time, ?4 data, ?5 checksum
 *   log      the bytes of a small file, the most bytes of the log, and a number: the log may be as
 *            long as the file, within these two, and is copied into it at that part of its limit
 *
 * A thread of its own copies the log, and commits wait for it beyond the limit, as ours do. It
 * prints one line of JSON, with our heart's names.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 4096, OPEN_MAX = 32 };

struct blob {
    void *bytes;
    int length;
};

struct party {
    int64_t key, version, awake, crc, at, journal_crc;
    struct blob state, journal;
};

static char open_sql[OPEN_MAX][LINE_MAX_BYTES], begin_sql[LINE_MAX_BYTES];
static char update_sql[LINE_MAX_BYTES], journal_sql[LINE_MAX_BYTES];
static int open_count;
static long long small_file_bytes, log_bytes_max, checkpoint_share;
static struct party *parties;
static int64_t party_count;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "heart_reference: %s: %s\n", what, why);
    exit(1);
}

static void check(int status, sqlite3 *database, const char *what)
{
    if (status != SQLITE_OK && status != SQLITE_ROW && status != SQLITE_DONE)
        fail(what, sqlite3_errmsg(database));
}

static double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void read_sql(const char *path)
{
    char line[LINE_MAX_BYTES];
    FILE *file = fopen(path, "r");
    if (file == NULL) fail(path, "cannot be opened");
    while (fgets(line, sizeof line, file) != NULL) {
        char *statement = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (statement == NULL) continue;
        *statement++ = 0;
        if (strcmp(line, "open") == 0 && open_count < OPEN_MAX)
            strcpy(open_sql[open_count++], statement);
        else if (strcmp(line, "begin") == 0)
            strcpy(begin_sql, statement);
        else if (strcmp(line, "update") == 0)
            strcpy(update_sql, statement);
        else if (strcmp(line, "journal") == 0)
            strcpy(journal_sql, statement);
        else if (strcmp(line, "log") == 0)
            sscanf(
                statement, "%lld %lld %lld", &small_file_bytes, &log_bytes_max, &checkpoint_share);
        else
            fail(line, "is no word of this file");
    }
    fclose(file);
    if (update_sql[0] == 0 || journal_sql[0] == 0 || checkpoint_share < 1)
        fail(path, "update, journal or log is missing");
}

static sqlite3 *open_file(const char *path)
{
    sqlite3 *database;
    /* No mutexes: each connection has one thread, as ours. */
    check(
        sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL),
        database, path);
    sqlite3_busy_timeout(database, 10000);
    for (int index = 0; index < open_count; index++)
        check(sqlite3_exec(database, open_sql[index], NULL, NULL, NULL), database, open_sql[index]);
    return database;
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *statement;
    check(
        sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL),
        database, sql);
    return statement;
}

/* One step of a statement without rows that are wanted. */
static void run(sqlite3 *database, sqlite3_stmt *statement)
{
    int status = sqlite3_step(statement);
    check(status, database, sqlite3_sql(statement));
    sqlite3_reset(statement);
}

static struct blob copy(sqlite3_stmt *statement, int column)
{
    struct blob blob = {NULL, sqlite3_column_bytes(statement, column)};
    blob.bytes = malloc((size_t)blob.length + 1);
    if (blob.bytes == NULL) fail("memory", "there is none left");
    memcpy(blob.bytes, sqlite3_column_blob(statement, column), (size_t)blob.length);
    return blob;
}

static void load(sqlite3 *database)
{
    int64_t room = 0;
    sqlite3_stmt *rows = prepare(
        database,
        "SELECT p.key, p.version, p.awake, p.crc, p.state, j.at, j.crc, j.data"
        " FROM parties p JOIN journal j ON j.party = p.key AND j.version ="
        " (SELECT max(version) FROM journal WHERE party = p.key) ORDER BY j.id");
    while (sqlite3_step(rows) == SQLITE_ROW) {
        if (party_count == room) {
            room = room == 0 ? 1024 : 2 * room;
            parties = realloc(parties, (size_t)room * sizeof *parties);
            if (parties == NULL) fail("memory", "there is none left");
        }
        parties[party_count++] = (struct party){
            .key = sqlite3_column_int64(rows, 0), .version = sqlite3_column_int64(rows, 1),
            .awake = sqlite3_column_int64(rows, 2), .crc = sqlite3_column_int64(rows, 3),
            .state = copy(rows, 4), .at = sqlite3_column_int64(rows, 5),
            .journal_crc = sqlite3_column_int64(rows, 6), .journal = copy(rows, 7)};
    }
    check(sqlite3_finalize(rows), database, "reading parties");
    if (party_count == 0) fail("the file", "no party has a journal row");
}

/* The log's copying: beside the commits, by a connection of its own. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    int is_wanted, is_running, is_over;
    int64_t log_pages, log_bytes_limit;
    const char *path;
    sqlite3 *database;
} checkpoint = {.lock = PTHREAD_MUTEX_INITIALIZER, .wanted = PTHREAD_COND_INITIALIZER};

static int64_t log_limit(void)
{
    struct stat file;
    if (stat(checkpoint.path, &file) != 0) fail(checkpoint.path, "has no size");
    return file.st_size < small_file_bytes ? small_file_bytes
        : file.st_size > log_bytes_max ? log_bytes_max : file.st_size;
}

static void *checkpoints(void *context)
{
    (void)context;
    pthread_mutex_lock(&checkpoint.lock);
    while (!checkpoint.is_over) {
        if (!checkpoint.is_wanted) {
            pthread_cond_wait(&checkpoint.wanted, &checkpoint.lock);
            continue;
        }
        checkpoint.is_wanted = 0;
        checkpoint.is_running = 1;
        pthread_mutex_unlock(&checkpoint.lock);
        int log = 0, copied = 0;
        sqlite3_wal_checkpoint_v2(
            checkpoint.database, NULL, SQLITE_CHECKPOINT_PASSIVE, &log, &copied);
        int64_t limit = log_limit();
        pthread_mutex_lock(&checkpoint.lock);
        checkpoint.log_pages = log;
        checkpoint.log_bytes_limit = limit;
        checkpoint.is_running = 0;
    }
    pthread_mutex_unlock(&checkpoint.lock);
    return NULL;
}

static void checkpoint_if_due(sqlite3 *database, int64_t page_bytes)
{
    static int64_t written;
    int pages = 0, highest;
    sqlite3_db_status(database, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1);
    written += pages;
    pthread_mutex_lock(&checkpoint.lock);
    int is_due = written * page_bytes >= checkpoint.log_bytes_limit / checkpoint_share;
    int is_too_long = is_due && checkpoint.log_pages * page_bytes >= checkpoint.log_bytes_limit;
    if (is_due) written = 0;
    if (is_due && !checkpoint.is_running) {
        checkpoint.is_wanted = 1;
        pthread_cond_signal(&checkpoint.wanted);
    }
    pthread_mutex_unlock(&checkpoint.lock);
    if (is_too_long)
        sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL);
}

struct statements {
    sqlite3_stmt *begin, *fence, *update, *journal, *commit;
};

static void write_party(sqlite3 *database, struct statements *sql, struct party *party)
{
    party->version++;
    sqlite3_bind_int64(sql->update, 1, party->version);
    sqlite3_bind_blob(sql->update, 2, party->state.bytes, party->state.length, SQLITE_STATIC);
    sqlite3_bind_int64(sql->update, 3, party->crc);
    sqlite3_bind_int64(sql->update, 4, party->key);
    sqlite3_bind_int64(sql->update, 5, party->awake);
    run(database, sql->update);
    if (sqlite3_changes(database) != 1) fail("update", "it did not change one row");
    sqlite3_bind_int64(sql->journal, 1, party->key);
    sqlite3_bind_int64(sql->journal, 2, party->version);
    sqlite3_bind_int64(sql->journal, 3, party->at);
    sqlite3_bind_blob(sql->journal, 4, party->journal.bytes, party->journal.length, SQLITE_STATIC);
    sqlite3_bind_int64(sql->journal, 5, party->journal_crc);
    run(database, sql->journal);
}

static void write_all(sqlite3 *database, int64_t ticks, int64_t batch)
{
    struct statements sql = {
        prepare(database, "BEGIN IMMEDIATE"),
        begin_sql[0] == 0 ? NULL : prepare(database, begin_sql),
        prepare(database, update_sql), prepare(database, journal_sql),
        prepare(database, "COMMIT")};
    sqlite3_stmt *page_size = prepare(database, "PRAGMA page_size");
    sqlite3_step(page_size);
    int64_t page_bytes = sqlite3_column_int64(page_size, 0), next = 0;
    sqlite3_finalize(page_size);
    for (int64_t done = 0; done < ticks;) {
        run(database, sql.begin);
        if (sql.fence != NULL) run(database, sql.fence);
        for (int64_t index = 0; index < batch && done < ticks; index++, done++) {
            write_party(database, &sql, &parties[next]);
            next = (next + 1) % party_count;
        }
        run(database, sql.commit);
        checkpoint_if_due(database, page_bytes);
    }
}

static int64_t resident_bytes(void)
{
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
    if (file != NULL) fclose(file);
    return (int64_t)resident * sysconf(_SC_PAGESIZE);
}

int main(int count, char **words)
{
    if (count != 5) {
        fprintf(stderr, "usage: heart_reference FILE SQL-FILE TICKS BATCH\n");
        return 64;
    }
    int64_t ticks = atoll(words[3]), batch = atoll(words[4]);
    if (ticks < 1 || batch < 1) fail("TICKS and BATCH", "must be at least 1");
    read_sql(words[2]);
    sqlite3 *database = open_file(words[1]);
    checkpoint.database = open_file(words[1]);
    checkpoint.path = words[1];
    checkpoint.log_bytes_limit = log_limit();
    load(database);
    pthread_t thread;
    if (pthread_create(&thread, NULL, checkpoints, NULL) != 0) fail("thread", "none can be made");
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    double writer = seconds(CLOCK_THREAD_CPUTIME_ID);
    write_all(database, ticks, batch);
    writer = seconds(CLOCK_THREAD_CPUTIME_ID) - writer;
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    wall = seconds(CLOCK_MONOTONIC) - wall;
    printf(
        "{\"parties\":%lld,\"activitiesPerParty\":0,\"ticks\":%lld,\"pushes\":0,"
        "\"wallSeconds\":%.6f,\"cpuSeconds\":%.6f,\"writerCPUSeconds\":%.6f,"
        "\"residentBytes\":%lld,\"batchSize\":%lld}\n",
        (long long)party_count, (long long)ticks, wall, cpu, writer,
        (long long)resident_bytes(), (long long)batch);
    pthread_mutex_lock(&checkpoint.lock);
    checkpoint.is_over = 1;
    pthread_cond_signal(&checkpoint.wanted);
    pthread_mutex_unlock(&checkpoint.lock);
    pthread_join(thread, NULL);
    sqlite3_close_v2(checkpoint.database);
    sqlite3_close_v2(database);
    return 0;
}
