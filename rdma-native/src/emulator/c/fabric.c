#include "fabric.h"

#include "cma.h"
#include "futex.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef F_OFD_SETLK
enum { SET_LOCK = F_OFD_SETLK, GET_LOCK = F_OFD_GETLK };
#else
enum { SET_LOCK = F_SETLK, GET_LOCK = F_GETLK };
#endif

/* Two builds with other tables must not share a state. */
static const uint64_t MAGIC =
    UINT64_C(0x767462) << 40 ^ sizeof(struct vtb_device_state) << 16 ^ sizeof(struct vtb_fabric_state);
static const uint64_t OPEN_DEADLINE = 5000000000u;
static const uint64_t QUIESCE_DEADLINE = 2000000000u;

/* Bytes of the file that are locked: by who sets it up, shared by all who have it open, by each user of a device. */
enum { SETUP_BYTE, OPEN_BYTE, FIRST_USER_BYTE };

static size_t state_bytes(const struct vtb_topology *topology) {
    return sizeof(struct vtb_fabric_state) + topology->port_count * sizeof(struct vtb_device_state);
}

static off_t user_byte(uint32_t port, uint32_t user) {
    return FIRST_USER_BYTE + (off_t) port * VTB_USERS + user;
}

static int lock_bytes(int file, short type, off_t start, off_t length) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    return fcntl(file, SET_LOCK, &lock);
}

static bool locked_by_other(int file, off_t start, off_t length) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    return fcntl(file, GET_LOCK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* Bounded: the holder may have been stopped by a debugger or a test. */
static int lock_setup(int file) {
    for (uint64_t end = vtb_now() + OPEN_DEADLINE; lock_bytes(file, F_WRLCK, SETUP_BYTE, 1);) {
        if ((errno != EAGAIN && errno != EACCES) || vtb_now() > end) {
            return -1;
        }
        vtb_pause_nanos(1000000);
    }
    return 0;
}

bool vtb_fabric_shared(const struct vtb_fabric *fabric) {
    return locked_by_other(fabric->file, OPEN_BYTE, 1);
}

/* Under the setup lock: makes the state unless it is there already, made for this topology. */
static int set_up(struct vtb_fabric *fabric) {
    struct vtb_fabric_state *state = fabric->state;
    if (state->magic == MAGIC && state->topology_hash == fabric->topology.hash) {
        return 0;
    }
    if (vtb_fabric_shared(fabric)) {
        fprintf(stderr, "vtb: %s is in use by processes with another topology\n", fabric->topology.state);
        errno = EBUSY;
        return -1;
    }
    size_t bytes = state_bytes(&fabric->topology);
    if (ftruncate(fabric->file, 0) || ftruncate(fabric->file, (off_t) bytes)) {
        return -1;
    }
    enum vtb_copy copy = fabric->topology.rules.copy;
    state->copy = copy == VTB_COPY_AUTO ? (vtb_cma_works() ? VTB_COPY_CMA : VTB_COPY_BOUNCE) : copy;
    state->topology_hash = fabric->topology.hash;
    state->magic = MAGIC;
    return 0;
}

static int map_state(struct vtb_fabric *fabric) {
    size_t bytes = state_bytes(&fabric->topology);
    struct stat status;
    if (fstat(fabric->file, &status) || ((size_t) status.st_size < bytes && ftruncate(fabric->file, (off_t) bytes))) {
        return -1;
    }
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fabric->file, 0);
    if (map == MAP_FAILED) {
        return -1;
    }
    fabric->state = map;
    return 0;
}

int vtb_fabric_open(struct vtb_fabric *fabric, const char *topology_path) {
    char path[VTB_PATH + 8];
    fabric->file = -1;
    fabric->state = NULL;
    memset(fabric->user, -1, sizeof fabric->user);
    if (vtb_topology_read(topology_path, &fabric->topology)) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/fabric", fabric->topology.state);
    if ((mkdir(fabric->topology.state, 0700) == 0 || errno == EEXIST)
            && (fabric->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) >= 0
            && lock_setup(fabric->file) == 0
            && map_state(fabric) == 0
            && set_up(fabric) == 0
            && lock_bytes(fabric->file, F_RDLCK, OPEN_BYTE, 1) == 0) {
        lock_bytes(fabric->file, F_UNLCK, SETUP_BYTE, 1);
        return 0;
    }
    int error = errno;
    fprintf(stderr, "vtb: %s: %s\n", path, strerror(error));
    vtb_fabric_close(fabric);
    errno = error;
    return -1;
}

void vtb_fabric_close(struct vtb_fabric *fabric) {
    if (fabric->state) {
        munmap(fabric->state, state_bytes(&fabric->topology));
        fabric->state = NULL;
    }
    if (fabric->file >= 0) {
        close(fabric->file);
        fabric->file = -1;
    }
}

int vtb_fabric_join(struct vtb_fabric *fabric, uint32_t port) {
    for (uint32_t i = 0; i < VTB_USERS; i++) {
        struct vtb_user *user = &fabric->state->devices[port].users[i];
        if (lock_bytes(fabric->file, F_WRLCK, user_byte(port, i), 1)) {
            continue;
        }
        struct vtb_mailbox *mailbox = &fabric->state->devices[port].mailboxes[i];
        atomic_fetch_add(&user->generation, 1);
        atomic_store(&mailbox->answer, mailbox->request);
        user->active = 0;
        user->sleeping = 0;
        user->engine_nanos = 0;
        user->bounce_nanos = 0;
        user->pid = getpid();
        fabric->user[port] = (int) i;
        return (int) i;
    }
    return -1;
}

void vtb_fabric_leave(struct vtb_fabric *fabric, uint32_t port) {
    uint32_t user = (uint32_t) fabric->user[port];
    struct vtb_user *slot = &fabric->state->devices[port].users[user];
    fabric->user[port] = -1;
    atomic_fetch_add(&slot->generation, 1);
    slot->pid = 0;
    lock_bytes(fabric->file, F_UNLCK, user_byte(port, user), 1);
}

bool vtb_fabric_user_alive(const struct vtb_fabric *fabric, uint32_t port, uint32_t user) {
    return fabric->user[port] == (int) user || locked_by_other(fabric->file, user_byte(port, user), 1);
}

bool vtb_fabric_alive(const struct vtb_fabric *fabric, uint32_t port, uint64_t owner) {
    uint32_t user = vtb_owner_user(owner);
    return user < VTB_USERS
        && fabric->state->devices[port].users[user].generation == owner >> 8
        && vtb_fabric_user_alive(fabric, port, user);
}

static bool claim_place(const struct vtb_fabric *fabric, uint32_t port, vtb_owner *place, uint64_t owner) {
    uint64_t seen = atomic_load(place);
    bool free = seen == 0
        || (seen != VTB_LEAKED && !fabric->topology.rules.leak_dead && !vtb_fabric_alive(fabric, port, seen));
    return free && atomic_compare_exchange_strong(place, &seen, owner);
}

int vtb_fabric_claim(const struct vtb_fabric *fabric, uint32_t port, vtb_owner *places, size_t stride, uint32_t limit,
                     uint64_t owner) {
    for (uint32_t i = 0; i < limit; i++) {
        vtb_owner *place = (vtb_owner *) ((char *) places + i * stride);
        if (claim_place(fabric, port, place, owner)) {
            return (int) i;
        }
    }
    return -1;
}

static bool quiesce_user(const struct vtb_fabric *fabric, uint32_t port, uint32_t user) {
    const struct vtb_user *slot = &fabric->state->devices[port].users[user];
    uint32_t seen = atomic_load(&slot->active);
    if (!(seen & 1)) {
        return true;
    }
    uint64_t end = vtb_now() + QUIESCE_DEADLINE;
    for (uint32_t turn = 1; atomic_load(&slot->active) == seen; turn++) {
        if (turn % 64) {
            vtb_relax();
            continue;
        }
        if (!vtb_fabric_user_alive(fabric, port, user)) {
            return true;
        }
        if (vtb_now() > end) {
            return false;
        }
        vtb_pause_nanos(20000);
    }
    return true;
}

bool vtb_fabric_quiesce(const struct vtb_fabric *fabric, uint32_t port) {
    bool quiet = true;
    for (uint32_t i = 0; i < VTB_USERS; i++) {
        quiet &= quiesce_user(fabric, port, i);
    }
    return quiet;
}
