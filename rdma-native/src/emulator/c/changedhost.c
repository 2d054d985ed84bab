/*
 * A host whose wall clock is set and whose name changes under its processes, for LD_PRELOAD; no part of the virtual
 * Thunderbolt. The file BOLT_CHANGED_HOST says how, at any moment: the seconds that are added to the time of day, 64 bits in
 * this machine's order of bytes, then a name of up to 63 bytes and a zero; none for the real one. Monotonic clocks, and
 * what the kernel waits by, stay as they are.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { NAME_BYTES = 64 };

struct changes {
    _Atomic int64_t seconds;
    char name[NAME_BYTES];
};

static const struct changes *changes;

__attribute__((constructor)) static void set_up(void) {
    const char *path = getenv("BOLT_CHANGED_HOST");
    struct stat status;
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        return;
    }
    if (!fstat(file, &status) && status.st_size >= (off_t) sizeof *changes) {
        void *map = mmap(NULL, sizeof *changes, PROT_READ, MAP_SHARED, file, 0);
        changes = map == MAP_FAILED ? NULL : map;
    }
    close(file);
}

#pragma GCC visibility push(default)
int clock_gettime(clockid_t clock, struct timespec *time) {
    int rc = (int) syscall(SYS_clock_gettime, clock, time);
    if (!rc && changes && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        time->tv_sec += changes->seconds;
    }
    return rc;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void) zone;
    int rc = clock_gettime(CLOCK_REALTIME, &now);
    if (!rc) {
        *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    }
    return rc;
}

time_t time(time_t *place) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) {
        return -1;
    }
    if (place) {
        *place = now.tv_sec;
    }
    return now.tv_sec;
}

int uname(struct utsname *facts) {
    int rc = (int) syscall(SYS_uname, facts);
    if (!rc && changes && changes->name[0]) {
        snprintf(facts->nodename, sizeof facts->nodename, "%.*s", NAME_BYTES - 1, changes->name);
    }
    return rc;
}

int gethostname(char *name, size_t size) {
    struct utsname facts;
    int rc = uname(&facts);
    if (!rc) {
        snprintf(name, size, "%s", facts.nodename);
    }
    return rc;
}
#pragma GCC visibility pop
