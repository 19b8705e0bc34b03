#include <malloc.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/timerfd.h>

/* GNU's own, which <spawn.h> shows only to those who define _GNU_SOURCE. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* Variadic in C, so Swift cannot call it. A handler of core dumps that is a program ignores the
   limit of their size, but not this. */
static inline int CLinux_forbid_core_dumps(void)
{
    const struct rlimit none = { 0, 0 };
    int limited = setrlimit(RLIMIT_CORE, &none);
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? limited : -1;
}
