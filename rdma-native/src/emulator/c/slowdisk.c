/*
 * A slow disk, for LD_PRELOAD; no part of the virtual Thunderbolt. Each read of a regular file below the folder
 * BOLT_SLOW_DISK_UNDER first sleeps for as many microseconds as the file BOLT_SLOW_DISK says at that moment: 32 bits in
 * this machine's order of bytes. Reads through a mapping are not slowed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const _Atomic uint32_t *delay_micros;
static const char *under;

__attribute__((constructor)) static void set_up(void) {
    const char *path = getenv("BOLT_SLOW_DISK");
    struct stat status;
    under = getenv("BOLT_SLOW_DISK_UNDER");
    int file = path && under ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        return;
    }
    if (!fstat(file, &status) && status.st_size >= (off_t) sizeof *delay_micros) {
        void *map = mmap(NULL, sizeof *delay_micros, PROT_READ, MAP_SHARED, file, 0);
        delay_micros = map == MAP_FAILED ? NULL : map;
    }
    close(file);
}

static bool is_below(int file) {
    char link[32];
    char path[4096];
    struct stat status;
    if (fstat(file, &status) || !S_ISREG(status.st_mode)) {
        return false;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path);
    size_t prefix = strlen(under);
    return length > (ssize_t) prefix && !memcmp(path, under, prefix) && path[prefix] == '/';
}

static void wait_for_disk(int file) {
    uint32_t micros = delay_micros ? *delay_micros : 0;
    int error = errno;
    if (micros && is_below(file)) {
        struct timespec left = {.tv_sec = micros / 1000000, .tv_nsec = micros % 1000000 * 1000L};
        while (nanosleep(&left, &left) && errno == EINTR) {
        }
    }
    errno = error;
}

/* Defines a read that waits, then does what the next library's does; `file` is its argument that is read from. */
#define SLOWED(name, file, parameters, arguments) \
    ssize_t name parameters { \
        static ssize_t(*_Atomic next) parameters; \
        if (!next) { \
            next = (ssize_t(*) parameters) dlsym(RTLD_NEXT, #name); \
        } \
        wait_for_disk(file); \
        return next arguments; \
    }

struct iovec;

#pragma GCC visibility push(default)
SLOWED(read, file, (int file, void *bytes, size_t count), (file, bytes, count))
SLOWED(readv, file, (int file, const struct iovec *parts, int count), (file, parts, count))
SLOWED(pread, file, (int file, void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
SLOWED(pread64, file, (int file, void *bytes, size_t count, off64_t offset), (file, bytes, count, offset))
SLOWED(sendfile, in, (int out, int in, off_t *offset, size_t count), (out, in, offset, count))
SLOWED(sendfile64, in, (int out, int in, off64_t *offset, size_t count), (out, in, offset, count))
#pragma GCC visibility pop
