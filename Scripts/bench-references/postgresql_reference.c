/* The reference of `rangers-tools bench cluster` in C: it sends PostgreSQL the bytes that our node
 * wrote, and nothing else.
 *
 * usage: postgresql_reference CONNINFO SQL-FILE TICKS BATCH
 *
 * The database is one that our node wrote: each party's row and newest journal row are read into
 * memory, in the order in which they were written. Then both are written again and again, in that
 * order, BATCH parties a transaction, over one connection, by libpq's pipeline mode.
 *
 * A line of SQL-FILE is a word and a statement, so that the statements stay ours:
 *   begin    begins a transaction; several lines, in their order
 *   lock     $1 the epoch
 *   update   arrays: $1 keys, $2 versions, $3 awake, $4 states, $5 checksums; $6 the epoch; arrays
 *            of journal rows: $7 parties, $8 versions, $9 times, $10 data, $11 checksums; it returns
 *            a row a party
 *   commit   ends it
 *
 * All of a transaction is one round trip. It prints one line of JSON, with our heart's names.
 */
#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 4096, BEGIN_MAX = 8, UPDATE_PARAMETERS = 11 };
enum { INT8 = 20, BYTEA = 17, INT8_ARRAY = 1016, BYTEA_ARRAY = 1001 };

struct blob {
    char *bytes;
    int length;
};

struct party {
    int64_t key, version, awake, crc, at, journal_crc;
    struct blob state, journal;
};

/* A parameter in the making; it keeps its room from batch to batch. */
struct buffer {
    char *bytes;
    size_t length, room;
};

static char begin_sql[BEGIN_MAX][LINE_MAX_BYTES], lock_sql[LINE_MAX_BYTES];
static char update_sql[LINE_MAX_BYTES], commit_sql[LINE_MAX_BYTES];
static int begin_count;
static PGconn *connection;
static struct party *parties;
static int64_t party_count, epoch;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "postgresql_reference: %s: %s\n", what, why);
    exit(1);
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
        if (strcmp(line, "begin") == 0 && begin_count < BEGIN_MAX)
            strcpy(begin_sql[begin_count++], statement);
        else if (strcmp(line, "lock") == 0)
            strcpy(lock_sql, statement);
        else if (strcmp(line, "update") == 0)
            strcpy(update_sql, statement);
        else if (strcmp(line, "commit") == 0)
            strcpy(commit_sql, statement);
        else
            fail(line, "is no word of this file");
    }
    fclose(file);
    if (begin_count == 0 || !lock_sql[0] || !update_sql[0] || !commit_sql[0])
        fail(path, "begin, lock, update or commit is missing");
}

/* MARK: Reading */

static PGresult *rows(const char *sql)
{
    PGresult *result = PQexecParams(connection, sql, 0, NULL, NULL, NULL, NULL, 1);
    if (PQresultStatus(result) != PGRES_TUPLES_OK) fail(sql, PQerrorMessage(connection));
    return result;
}

static int64_t number(const PGresult *result, int row, int column)
{
    uint64_t bytes;
    memcpy(&bytes, PQgetvalue(result, row, column), sizeof bytes);
    return (int64_t)be64toh(bytes);
}

static struct blob copy(const PGresult *result, int row, int column)
{
    struct blob blob = {NULL, PQgetlength(result, row, column)};
    blob.bytes = malloc((size_t)blob.length + 1);
    if (blob.bytes == NULL) fail("memory", "there is none left");
    memcpy(blob.bytes, PQgetvalue(result, row, column), (size_t)blob.length);
    return blob;
}

static void load(void)
{
    PGresult *result = rows("SELECT epoch FROM shard_lease WHERE shard = 0");
    epoch = number(result, 0, 0);
    PQclear(result);
    result = rows(
        "SELECT p.key, p.version, p.awake, p.crc, p.state, j.at, j.crc, j.data"
        " FROM parties p JOIN journal j ON j.party = p.key AND j.version ="
        " (SELECT max(version) FROM journal WHERE party = p.key) ORDER BY j.at, p.key");
    party_count = PQntuples(result);
    parties = calloc((size_t)party_count + 1, sizeof *parties);
    if (parties == NULL) fail("memory", "there is none left");
    for (int row = 0; row < party_count; row++)
        parties[row] = (struct party){
            .key = number(result, row, 0), .version = number(result, row, 1),
            .awake = number(result, row, 2), .crc = number(result, row, 3),
            .state = copy(result, row, 4), .at = number(result, row, 5),
            .journal_crc = number(result, row, 6), .journal = copy(result, row, 7)};
    PQclear(result);
    if (party_count == 0) fail("the database", "no party has a journal row");
}

/* MARK: Writing */

static void add(struct buffer *buffer, const void *bytes, size_t length)
{
    if (buffer->length + length > buffer->room) {
        buffer->room = 2 * (buffer->length + length);
        buffer->bytes = realloc(buffer->bytes, buffer->room);
        if (buffer->bytes == NULL) fail("memory", "there is none left");
    }
    memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
}

static void add32(struct buffer *buffer, int32_t value)
{
    uint32_t bytes = htobe32((uint32_t)value);
    add(buffer, &bytes, sizeof bytes);
}

static void add64(struct buffer *buffer, int64_t value)
{
    uint64_t bytes = htobe64((uint64_t)value);
    add(buffer, &bytes, sizeof bytes);
}

/* The head of an array with one dimension, no nulls, and 1 as the first index. */
static void begin_array(struct buffer *buffer, int32_t type, int32_t count)
{
    buffer->length = 0;
    add32(buffer, 1);
    add32(buffer, 0);
    add32(buffer, type);
    add32(buffer, count);
    add32(buffer, 1);
}

static void add_number(struct buffer *buffer, int64_t value)
{
    add32(buffer, 8);
    add64(buffer, value);
}

static void add_blob(struct buffer *buffer, struct blob blob)
{
    add32(buffer, blob.length);
    add(buffer, blob.bytes, (size_t)blob.length);
}

static void send(
    const char *sql, int count, const Oid *types, const char *const *values, const int *lengths)
{
    static const int binary[UPDATE_PARAMETERS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    if (PQsendQueryParams(connection, sql, count, types, values, lengths, binary, 1) != 1)
        fail(sql, PQerrorMessage(connection));
}

static void send_update(int64_t first, int32_t count)
{
    static struct buffer made[UPDATE_PARAMETERS];
    static const Oid types[UPDATE_PARAMETERS] = {
        INT8_ARRAY, INT8_ARRAY, INT8_ARRAY, BYTEA_ARRAY, INT8_ARRAY, INT8,
        INT8_ARRAY, INT8_ARRAY, INT8_ARRAY, BYTEA_ARRAY, INT8_ARRAY};
    const char *values[UPDATE_PARAMETERS];
    int lengths[UPDATE_PARAMETERS];
    for (int index = 0; index < UPDATE_PARAMETERS; index++)
        begin_array(&made[index], types[index] == BYTEA_ARRAY ? BYTEA : INT8, count);
    for (int32_t index = 0; index < count; index++) {
        struct party *party = &parties[(first + index) % party_count];
        party->version++;
        add_number(&made[0], party->key);
        add_number(&made[1], party->version);
        add_number(&made[2], party->awake);
        add_blob(&made[3], party->state);
        add_number(&made[4], party->crc);
        add_number(&made[6], party->key);
        add_number(&made[7], party->version);
        add_number(&made[8], party->at);
        add_blob(&made[9], party->journal);
        add_number(&made[10], party->journal_crc);
    }
    made[5].length = 0;
    add64(&made[5], epoch);
    for (int index = 0; index < UPDATE_PARAMETERS; index++) {
        values[index] = made[index].bytes;
        lengths[index] = (int)made[index].length;
    }
    send(update_sql, UPDATE_PARAMETERS, types, values, lengths);
}

/* The next statement's answer: its number of rows. */
static int answer(const char *sql)
{
    PGresult *result = PQgetResult(connection);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail(sql, PQerrorMessage(connection));
    int count = PQntuples(result);
    PQclear(result);
    while ((result = PQgetResult(connection)) != NULL) PQclear(result);
    return count;
}

static void write_batch(int64_t first, int32_t count)
{
    static const Oid type = INT8;
    uint64_t owner = htobe64((uint64_t)epoch);
    const char *value = (const char *)&owner;
    int length = sizeof owner;
    for (int index = 0; index < begin_count; index++) send(begin_sql[index], 0, NULL, NULL, NULL);
    send(lock_sql, 1, &type, &value, &length);
    send_update(first, count);
    send(commit_sql, 0, NULL, NULL, NULL);
    if (PQpipelineSync(connection) != 1) fail("sync", PQerrorMessage(connection));
    for (int index = 0; index < begin_count; index++) answer(begin_sql[index]);
    answer(lock_sql);
    if (answer(update_sql) != count) fail("update", "it did not change each party");
    answer(commit_sql);
    PGresult *end = PQgetResult(connection);
    if (PQresultStatus(end) != PGRES_PIPELINE_SYNC) fail("sync", PQerrorMessage(connection));
    PQclear(end);
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
        fprintf(stderr, "usage: postgresql_reference CONNINFO SQL-FILE TICKS BATCH\n");
        return 64;
    }
    int64_t ticks = atoll(words[3]), batch = atoll(words[4]);
    if (ticks < 1 || batch < 1) fail("TICKS and BATCH", "must be at least 1");
    read_sql(words[2]);
    connection = PQconnectdb(words[1]);
    if (PQstatus(connection) != CONNECTION_OK) fail(words[1], PQerrorMessage(connection));
    load();
    /* A party can be in a batch once. */
    if (batch > party_count) batch = party_count;
    if (PQenterPipelineMode(connection) != 1) fail("pipeline", PQerrorMessage(connection));
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int64_t done = 0; done < ticks; done += batch)
        write_batch(done, (int32_t)(ticks - done < batch ? ticks - done : batch));
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    wall = seconds(CLOCK_MONOTONIC) - wall;
    printf(
        "{\"parties\":%lld,\"activitiesPerParty\":0,\"ticks\":%lld,\"pushes\":0,"
        "\"wallSeconds\":%.6f,\"cpuSeconds\":%.6f,\"writerCPUSeconds\":%.6f,"
        "\"residentBytes\":%lld,\"batchSize\":%lld}\n",
        (long long)party_count, (long long)ticks, wall, cpu, cpu,
        (long long)resident_bytes(), (long long)batch);
    PQfinish(connection);
    return 0;
}
