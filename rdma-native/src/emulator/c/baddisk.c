/*
 * A disk that lost a file, for LD_PRELOAD; no part of the virtual Thunderbolt. Each read of the file whose path the file
 * BOLT_BAD_DISK holds at that moment, in 4096 bytes that end with a zero, fails with EIO; with an empty path none does.
 * Reads through a mapping do not fail.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static const char *lost;

__attribute__((constructor)) static void set_up(void) {
    const char *path = getenv("BOLT_BAD_DISK");
    struct stat status;
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        return;
    }
    if (!fstat(file, &status) && status.st_size >= PATH_BYTES) {
        void *map = mmap(NULL, PATH_BYTES, PROT_READ, MAP_SHARED, file, 0);
        lost = map == MAP_FAILED ? NULL : map;
    }
    close(file);
}

/* A path that is being written when it is looked at is that of no file. */
static bool is_lost(int file) {
    char link[32];
    char path[PATH_BYTES];
    int error = errno;
    if (!lost || !lost[0]) {
        return false;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = error;
    return length > 0 && !strncmp(path, lost, (size_t) length) && !lost[length];
}

/* Defines a read that fails, or does what the next library's does; `file` is its argument that is read from. */
#define FAILING(name, file, parameters, arguments) \
    ssize_t name parameters { \
        static ssize_t(*_Atomic next) parameters; \
        if (!next) { \
            next = (ssize_t(*) parameters) dlsym(RTLD_NEXT, #name); \
        } \
        if (is_lost(file)) { \
            errno = EIO; \
            return -1; \
        } \
        return next arguments; \
    }

struct iovec;

#pragma GCC visibility push(default)
FAILING(read, file, (int file, void *bytes, size_t count), (file, bytes, count))
FAILING(readv, file, (int file, const struct iovec *parts, int count), (file, parts, count))
FAILING(pread, file, (int file, void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
FAILING(pread64, file, (int file, void *bytes, size_t count, off64_t offset), (file, bytes, count, offset))
FAILING(sendfile, in, (int out, int in, off_t *offset, size_t count), (out, in, offset, count))
FAILING(sendfile64, in, (int out, int in, off64_t *offset, size_t count), (out, in, offset, count))
#pragma GCC visibility pop
