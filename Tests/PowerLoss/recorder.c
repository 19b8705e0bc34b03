/*
 * Records what a process writes to one database and what it has synced, so that a power failure
 * can be played afterwards: whatever was not synced may be taken back.
 *
 * Preloaded (LD_PRELOAD) into the server. RECORDER_DATABASE names the database file (its -wal
 * and -journal are recorded too; -shm is rebuilt after a crash and is not), RECORDER_LOG the file
 * to append to. With RECORDER_LIE=1 nothing is ever synced, though the process is told so: the
 * control, in which the checker must find losses.
 *
 * A record is a header of seven 64-bit numbers, then the old bytes, then the new ones.
 * It is appended before the write is done, so a kill in between leaves a write in flight.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE = 1, TRUNCATE, SYNC_BEGAN, SYNC_ENDED, UNLINK };
enum file { NONE = -1, DATABASE, WAL, JOURNAL };

struct header {
    uint64_t kind;
    uint64_t file;
    /* Of a write its offset, of a truncation the new size, of a sync its number. */
    uint64_t position;
    uint64_t old_size;
    uint64_t old_count;
    uint64_t new_count;
    uint64_t reserved;
};

static const char *const suffixes[] = {"", "-wal", "-journal"};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char database[4096];
static int log_descriptor = -1;
static int lies;
static uint64_t syncs;

static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate64)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_fallocate)(int, off64_t, off64_t);

static void fail(const char *what) {
    fprintf(stderr, "recorder: %s: %s\n", what, strerror(errno));
    abort();
}

__attribute__((constructor)) static void begin(void) {
    real_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_ftruncate64 = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_fallocate = dlsym(RTLD_NEXT, "posix_fallocate64");
    const char *path = getenv("RECORDER_DATABASE");
    const char *log = getenv("RECORDER_LOG");
    if (path == NULL || log == NULL) return;
    snprintf(database, sizeof database, "%s", path);
    lies = getenv("RECORDER_LIE") != NULL;
    log_descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_descriptor < 0) fail(log);
}

static enum file file_named(const char *path) {
    size_t length = strlen(database);
    if (length == 0 || strncmp(path, database, length) != 0) return NONE;
    for (int file = DATABASE; file <= JOURNAL; file++)
        if (strcmp(path + length, suffixes[file]) == 0) return file;
    return NONE;
}

static enum file file_of(int descriptor) {
    if (log_descriptor < 0 || descriptor == log_descriptor) return NONE;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count < 0) return NONE;
    path[count] = 0;
    return file_named(path);
}

/* One write to the log a record: a kill leaves at most its last record incomplete. */
static void append(struct header header, const void *old_bytes, const void *new_bytes) {
    struct iovec parts[] = {
        {&header, sizeof header},
        {(void *)old_bytes, header.old_count},
        {(void *)new_bytes, header.new_count},
    };
    ssize_t expected = sizeof header + header.old_count + header.new_count;
    if (writev(log_descriptor, parts, 3) != expected) fail("writing the log");
}

static uint64_t size_of(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) fail("fstat");
    return status.st_size;
}

/* Appends what the bytes from `position` on were before they are overwritten or cut off. */
static void record_change(
    enum kind kind, enum file file, int descriptor, uint64_t position, uint64_t old_count,
    const void *new_bytes, uint64_t new_count) {
    char *old_bytes = malloc(old_count ? old_count : 1);
    if (old_bytes == NULL) fail("malloc");
    ssize_t count = pread64(descriptor, old_bytes, old_count, position);
    if (count < 0) {
        /* Opened for writing only. */
        count = 0;
    }
    append(
        (struct header){kind, file, position, size_of(descriptor), count, new_count, 0},
        old_bytes, new_bytes);
    free(old_bytes);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    enum file file = file_of(descriptor);
    if (file == NONE) return real_pwrite64(descriptor, bytes, count, offset);
    pthread_mutex_lock(&lock);
    record_change(WRITE, file, descriptor, offset, count, bytes, count);
    ssize_t written = real_pwrite64(descriptor, bytes, count, offset);
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (file_of(descriptor) != NONE) fail("the database was written with write()");
    return real_write(descriptor, bytes, count);
}

int ftruncate64(int descriptor, off64_t size) {
    enum file file = file_of(descriptor);
    if (file == NONE) return real_ftruncate64(descriptor, size);
    pthread_mutex_lock(&lock);
    uint64_t old_size = size_of(descriptor);
    uint64_t cut = old_size > (uint64_t)size ? old_size - size : 0;
    record_change(TRUNCATE, file, descriptor, size, cut, NULL, 0);
    int status = real_ftruncate64(descriptor, size);
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return status;
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

/* Growing a file is a truncation to a larger size. */
int posix_fallocate64(int descriptor, off64_t offset, off64_t count) {
    enum file file = file_of(descriptor);
    if (file == NONE) return real_fallocate(descriptor, offset, count);
    if ((uint64_t)(offset + count) <= size_of(descriptor)) return 0;
    return ftruncate64(descriptor, offset + count) == 0 ? 0 : errno;
}

int posix_fallocate(int descriptor, off_t offset, off_t count) {
    return posix_fallocate64(descriptor, offset, count);
}

static int sync_file(int descriptor, int (*real_sync)(int)) {
    enum file file = file_of(descriptor);
    if (file == NONE) return real_sync(descriptor);
    if (lies) return 0;
    pthread_mutex_lock(&lock);
    uint64_t number = ++syncs;
    append((struct header){SYNC_BEGAN, file, number, 0, 0, 0, 0}, NULL, NULL);
    pthread_mutex_unlock(&lock);
    /* What others write meanwhile is not promised by this sync. */
    int status = real_sync(descriptor);
    int error = errno;
    if (status == 0) {
        pthread_mutex_lock(&lock);
        append((struct header){SYNC_ENDED, file, number, 0, 0, 0, 0}, NULL, NULL);
        pthread_mutex_unlock(&lock);
    }
    errno = error;
    return status;
}

int fsync(int descriptor) { return sync_file(descriptor, real_fsync); }

int fdatasync(int descriptor) { return sync_file(descriptor, real_fdatasync); }

int unlink(const char *path) {
    enum file file = log_descriptor < 0 ? NONE : file_named(path);
    if (file != NONE) {
        pthread_mutex_lock(&lock);
        append((struct header){UNLINK, file, 0, 0, 0, 0, 0}, NULL, NULL);
        pthread_mutex_unlock(&lock);
    }
    return real_unlink(path);
}
