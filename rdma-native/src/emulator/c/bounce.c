#include "bounce.h"

#include "futex.h"
#include "thread.h"

#include <string.h>

enum { SPINS_BEFORE_SLEEP = 2000 };
static const uint64_t LOOK_NANOS = 100000000;

/* Walks a list of ranges piece by piece. */
struct cursor {
    const struct iovec *at;
    size_t offset;
};

static size_t cursor_left(const struct cursor *cursor) {
    return cursor->at->iov_len - cursor->offset;
}

static uint8_t *cursor_bytes(const struct cursor *cursor) {
    return (uint8_t *) cursor->at->iov_base + cursor->offset;
}

static void cursor_advance(struct cursor *cursor, size_t bytes) {
    cursor->offset += bytes;
    if (cursor->offset == cursor->at->iov_len) {
        cursor->at++;
        cursor->offset = 0;
    }
}

/* Asks and waits for the answer. False: the other process died. */
static bool ask(struct vtb_port *port, struct vtb_mailbox *mailbox, uint32_t user) {
    struct vtb_user *peer = &port->peer_device->users[user];
    uint32_t request = atomic_fetch_add(&mailbox->request, 1) + 1;
    atomic_fetch_add(&peer->bounce_bell, 1);
    vtb_futex_wake(&peer->bounce_bell);
    for (uint32_t spins = 0;; spins++) {
        uint32_t answer = atomic_load(&mailbox->answer);
        if (answer == request) {
            return true;
        }
        if (spins < SPINS_BEFORE_SLEEP) {
            vtb_relax();
            continue;
        }
        vtb_futex_wait(&mailbox->answer, answer, LOOK_NANOS);
        if (atomic_load(&mailbox->answer) != request
                && !vtb_fabric_user_alive(port->fabric, (uint32_t) port->peer, user)) {
            return false;
        }
    }
}

enum vtb_wire_result vtb_bounce_move(
        struct vtb_port *port, uint32_t user, const struct vtb_transfer *transfer, bool write, size_t *moved) {
    struct vtb_mailbox *mailbox = &port->device->mailboxes[port->fabric->user[port->index]];
    struct cursor local = {transfer->local, 0};
    struct cursor remote = {transfer->remote, 0};
    *moved = 0;
    mailbox->user = user;
    mailbox->write = write;
    while (*moved < transfer->bytes) {
        size_t piece = cursor_left(&local);
        piece = piece > cursor_left(&remote) ? cursor_left(&remote) : piece;
        piece = piece > VTB_BOUNCE_BYTES ? VTB_BOUNCE_BYTES : piece;
        mailbox->address = (uintptr_t) cursor_bytes(&remote);
        mailbox->length = piece;
        if (write) {
            memcpy(mailbox->bytes, cursor_bytes(&local), piece);
        }
        if (!ask(port, mailbox, user)) {
            return VTB_WIRE_PEER_GONE;
        }
        if (!write) {
            memcpy(cursor_bytes(&local), mailbox->bytes, piece);
        }
        cursor_advance(&local, piece);
        cursor_advance(&remote, piece);
        *moved += piece;
    }
    return VTB_WIRE_DONE;
}

static bool answer(struct vtb_port *port, struct vtb_mailbox *mailbox) {
    uint32_t request = atomic_load(&mailbox->request);
    if (mailbox->answer == request || mailbox->user != (uint32_t) port->fabric->user[port->index]) {
        return false;
    }
    pthread_mutex_lock(&port->bounce_lock);
    if (mailbox->answer == request) {
        pthread_mutex_unlock(&port->bounce_lock);
        return false;
    }
    void *memory = (void *) (uintptr_t) mailbox->address;
    if (mailbox->write) {
        memcpy(memory, mailbox->bytes, mailbox->length);
    } else {
        memcpy(mailbox->bytes, memory, mailbox->length);
    }
    pthread_mutex_unlock(&port->bounce_lock);
    atomic_store(&mailbox->answer, request);
    vtb_futex_wake(&mailbox->answer);
    return true;
}

void *vtb_bounce_run(void *argument) {
    struct vtb_port *port = argument;
    vtb_thread_name("vtb-bounce");
    while (!port->stopping) {
        uint32_t bell = atomic_load(&port->user->bounce_bell);
        bool any = false;
        for (uint32_t i = 0; i < VTB_USERS; i++) {
            any |= answer(port, &port->peer_device->mailboxes[i]);
        }
        if (!any) {
            vtb_thread_publish_cpu(&port->user->bounce_nanos);
            vtb_futex_wait(&port->user->bounce_bell, bell, LOOK_NANOS);
        }
    }
    return NULL;
}

void vtb_bounce_quiesce(struct vtb_port *port) {
    pthread_mutex_lock(&port->bounce_lock);
    for (uint32_t i = 0; port->peer >= 0 && i < VTB_USERS; i++) {
        struct vtb_mailbox *mailbox = &port->peer_device->mailboxes[i];
        bool pending = mailbox->answer != mailbox->request
            && mailbox->user == (uint32_t) port->fabric->user[port->index];
        /* Its asker had checked the address while that was valid, and died before it was answered. */
        if (pending && !vtb_fabric_user_alive(port->fabric, (uint32_t) port->peer, i)) {
            atomic_store(&mailbox->answer, mailbox->request);
        }
    }
    pthread_mutex_unlock(&port->bounce_lock);
}
