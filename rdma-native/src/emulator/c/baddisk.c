/*
 * A disk that fails, for LD_PRELOAD; no part of the virtual Thunderbolt. The file BOLT_BAD_DISK holds two paths, each in
 * 4096 bytes that end with a zero. Each read of the file that the first one names at that moment fails with EIO, and each
 * write to a file below the directory that the second one names; an empty path names nothing. Reads and writes through a
 * mapping do not fail.
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

static const char *lost;   /* a file */
static const char *broken; /* a directory */

__attribute__((constructor)) static void set_up(void) {
    const char *path = getenv("BOLT_BAD_DISK");
    struct stat status;
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        return;
    }
    if (!fstat(file, &status) && status.st_size >= 2 * PATH_BYTES) {
        void *map = mmap(NULL, 2 * PATH_BYTES, PROT_READ, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) {
            lost = map;
            broken = lost + PATH_BYTES;
        }
    }
    close(file);
}

/* Returns the length of the path of an open file, not more than 0 if it has none. */
static ssize_t path_of(int file, char path[PATH_BYTES]) {
    char link[32];
    int error = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_BYTES - 1);
    errno = error;
    return length;
}

/* A path that is being written when it is looked at is that of no file. */
static bool is_lost(int file) {
    char path[PATH_BYTES];
    if (!lost || !lost[0]) {
        return false;
    }
    ssize_t length = path_of(file, path);
    return length > 0 && !strncmp(path, lost, (size_t) length) && !lost[length];
}

static bool is_broken(int file) {
    char path[PATH_BYTES];
    size_t above = broken ? strnlen(broken, PATH_BYTES) : 0;
    if (above == 0) {
        return false;
    }
    ssize_t length = path_of(file, path);
    return length > (ssize_t) above && !strncmp(path, broken, above) && path[above] == '/';
}

static bool copy_fails(int in, int out) { return is_lost(in) || is_broken(out); }

/* Defines a call that fails if `is_bad`, or does what the next library's does. */
#define FAILING(name, is_bad, parameters, arguments) \
    ssize_t name parameters { \
        static ssize_t(*_Atomic next) parameters; \
        if (!next) { \
            next = (ssize_t(*) parameters) dlsym(RTLD_NEXT, #name); \
        } \
        if (is_bad) { \
            errno = EIO; \
            return -1; \
        } \
        return next arguments; \
    }

struct iovec;

#pragma GCC visibility push(default)
FAILING(read, is_lost(file), (int file, void *bytes, size_t count), (file, bytes, count))
FAILING(readv, is_lost(file), (int file, const struct iovec *parts, int count), (file, parts, count))
FAILING(pread, is_lost(file), (int file, void *bytes, size_t count, off_t at), (file, bytes, count, at))
FAILING(pread64, is_lost(file), (int file, void *bytes, size_t count, off64_t at), (file, bytes, count, at))
FAILING(write, is_broken(file), (int file, const void *bytes, size_t count), (file, bytes, count))
FAILING(writev, is_broken(file), (int file, const struct iovec *parts, int count), (file, parts, count))
FAILING(pwrite, is_broken(file), (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
FAILING(pwrite64, is_broken(file), (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
FAILING(sendfile, copy_fails(in, out), (int out, int in, off_t *from, size_t count), (out, in, from, count))
FAILING(sendfile64, copy_fails(in, out), (int out, int in, off64_t *from, size_t count), (out, in, from, count))
FAILING(
    copy_file_range,
    copy_fails(in, out),
    (int in, off64_t *from, int out, off64_t *to, size_t count, unsigned flags),
    (in, from, out, to, count, flags))
#pragma GCC visibility pop
