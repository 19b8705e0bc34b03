/*
 * Shows a process another wall clock. Preloaded (LD_PRELOAD) into the server. SHIFT_FILE names a
 * file with seconds, as a 64-bit number, which are added to the wall clock; it is mapped, so that
 * the clock can be stepped while the process runs. With SHIFT_BOOT=1 the time since the boot is
 * shifted too: the control, in which nothing can be right.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *shift;
static int shifts_boot;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

static void fail(const char *what) {
    fprintf(stderr, "shift: %s: %s\n", what, strerror(errno));
    abort();
}

__attribute__((constructor)) static void begin(void) {
    real_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("SHIFT_FILE");
    const char *boot = getenv("SHIFT_BOOT");
    shifts_boot = boot != NULL && strcmp(boot, "1") == 0;
    if (path == NULL) return;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(path);
    void *map = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) fail("mmap");
    close(file);
    shift = map;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    /* Others' constructors may come before ours. */
    if (real_clock_gettime == NULL) begin();
    int status = real_clock_gettime(clock, time);
    if (status != 0 || shift == NULL) return status;
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE
        || (shifts_boot && clock == CLOCK_BOOTTIME)) {
        time->tv_sec += *shift;
    }
    return status;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
    (void)zone;
    struct timespec time;
    int status = clock_gettime(CLOCK_REALTIME, &time);
    if (status == 0) {
        value->tv_sec = time.tv_sec;
        value->tv_usec = time.tv_nsec / 1000;
    }
    return status;
}

time_t time(time_t *value) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (value != NULL) *value = now.tv_sec;
    return now.tv_sec;
}
