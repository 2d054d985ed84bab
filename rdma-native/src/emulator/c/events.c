#include "events.h"

#include "futex.h"
#include "thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_QUEUES = 256, MOST_EVENTS = 1024, SHORTEST_NANOS = 20000, LONGEST_NANOS = 250000 };

struct armed {
    struct ibv_cq *cq;
    vtb_news *has_news;
};

struct channel {
    struct ibv_comp_channel ibv;
    int announce_fd;
    pthread_t thread;
    pthread_mutex_t lock;              /* all below; taken before a queue's own */
    pthread_cond_t work;
    bool stopping;
    uint64_t pause;
    struct armed armed[MOST_QUEUES];
    uint32_t armed_count;
    struct ibv_cq *events[MOST_EVENTS]; /* announced and not taken, oldest first; one byte in the pipe for each */
    uint32_t event_count;
};

/* Under the lock. An announcement more would say nothing new where so many wait. */
static void announce(struct channel *channel, struct ibv_cq *cq) {
    if (channel->event_count < MOST_EVENTS && write(channel->announce_fd, "", 1) == 1) {
        channel->events[channel->event_count++] = cq;
    }
}

/* Under the lock. Whether there was news. */
static bool look(struct channel *channel) {
    bool found = false;
    for (uint32_t i = 0; i < channel->armed_count;) {
        struct armed *armed = &channel->armed[i];
        if (armed->has_news(armed->cq)) {
            announce(channel, armed->cq);
            *armed = channel->armed[--channel->armed_count];
            found = true;
        } else {
            i++;
        }
    }
    return found;
}

static void *run(void *argument) {
    struct channel *channel = argument;
    vtb_thread_name("vtb-events");
    vtb_thread_prefer_latency();
    pthread_mutex_lock(&channel->lock);
    while (!channel->stopping) {
        if (channel->armed_count == 0) {
            pthread_cond_wait(&channel->work, &channel->lock);
        } else if (!look(channel)) {
            uint64_t pause = channel->pause;
            channel->pause = 2 * pause < LONGEST_NANOS ? 2 * pause : LONGEST_NANOS;
            pthread_mutex_unlock(&channel->lock);
            vtb_pause_nanos(pause);
            pthread_mutex_lock(&channel->lock);
        }
    }
    pthread_mutex_unlock(&channel->lock);
    return NULL;
}

static int open_pipe(int ends[2]) {
    if (pipe(ends)) {
        return errno;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    return 0;
}

static void free_channel(struct channel *channel) {
    close(channel->ibv.fd);
    close(channel->announce_fd);
    pthread_cond_destroy(&channel->work);
    pthread_mutex_destroy(&channel->lock);
    free(channel);
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
    int ends[2];
    if (!vtb_rules_of(vtb_port_of(context))->completion_events) {
        errno = EOPNOTSUPP;
        return NULL;
    }
    struct channel *channel = calloc(1, sizeof *channel);
    if (!channel) {
        return NULL;
    }
    if (open_pipe(ends)) {
        free(channel);
        return NULL;
    }
    channel->ibv = (struct ibv_comp_channel){.context = context, .fd = ends[0]};
    channel->announce_fd = ends[1];
    pthread_mutex_init(&channel->lock, NULL);
    pthread_cond_init(&channel->work, NULL);
    int rc = vtb_thread_start(&channel->thread, run, channel);
    if (rc) {
        free_channel(channel);
        errno = rc;
        return NULL;
    }
    return &channel->ibv;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *ibv) {
    struct channel *channel = (struct channel *) ibv;
    pthread_mutex_lock(&channel->lock);
    bool used = ibv->refcnt > 0;
    channel->stopping = !used;
    pthread_cond_signal(&channel->work);
    pthread_mutex_unlock(&channel->lock);
    if (used) {
        return EBUSY;
    }
    pthread_join(channel->thread, NULL);
    free_channel(channel);
    return 0;
}

void vtb_channel_join(struct ibv_comp_channel *ibv) {
    struct channel *channel = (struct channel *) ibv;
    pthread_mutex_lock(&channel->lock);
    ibv->refcnt++;
    pthread_mutex_unlock(&channel->lock);
}

static void disarm(struct channel *channel, struct ibv_cq *cq) {
    for (uint32_t i = 0; i < channel->armed_count; i++) {
        if (channel->armed[i].cq == cq) {
            channel->armed[i--] = channel->armed[--channel->armed_count];
        }
    }
}

void vtb_channel_arm(struct ibv_comp_channel *ibv, struct ibv_cq *cq, vtb_news *has_news) {
    struct channel *channel = (struct channel *) ibv;
    pthread_mutex_lock(&channel->lock);
    disarm(channel, cq);
    if (channel->armed_count < MOST_QUEUES) {
        channel->armed[channel->armed_count++] = (struct armed){cq, has_news};
    }
    channel->pause = SHORTEST_NANOS;
    pthread_cond_signal(&channel->work);
    pthread_mutex_unlock(&channel->lock);
}

/* Under the lock. Takes out so many of the queue's events, the oldest first. */
static void take_out(struct channel *channel, const struct ibv_cq *cq, uint32_t most) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < channel->event_count; i++) {
        if (channel->events[i] == cq && most > 0) {
            most--;
        } else {
            channel->events[kept++] = channel->events[i];
        }
    }
    channel->event_count = kept;
}

bool vtb_channel_leave(struct ibv_comp_channel *ibv, struct ibv_cq *cq) {
    struct channel *channel = (struct channel *) ibv;
    pthread_mutex_lock(&channel->lock);
    bool acknowledged = ((struct vtb_cq *) cq)->unacknowledged == 0;
    if (acknowledged) {
        disarm(channel, cq);
        /* Their bytes stay in the pipe: who reads one finds no announcement for it, and reads on. */
        take_out(channel, cq, MOST_EVENTS);
        ibv->refcnt--;
    }
    pthread_mutex_unlock(&channel->lock);
    return acknowledged;
}

/* Waits. */
static int read_byte(int fd) {
    char byte;
    ssize_t got;
    do {
        got = read(fd, &byte, 1);
    } while (got < 0 && errno == EINTR);
    return got == 1 ? 0 : -1;
}

int ibv_get_cq_event(struct ibv_comp_channel *ibv, struct ibv_cq **cq, void **cq_context) {
    struct channel *channel = (struct channel *) ibv;
    struct ibv_cq *found = NULL;
    while (!found) {
        if (read_byte(ibv->fd)) {
            return -1;
        }
        pthread_mutex_lock(&channel->lock);
        if (channel->event_count > 0) {
            found = channel->events[0];
            take_out(channel, found, 1);
            ((struct vtb_cq *) found)->unacknowledged++;
        }
        pthread_mutex_unlock(&channel->lock);
    }
    *cq = found;
    *cq_context = found->cq_context;
    return 0;
}

/* Programs that poll acknowledge none, of queues without a channel. */
void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int events) {
    if (!cq->channel) {
        return;
    }
    struct channel *channel = (struct channel *) cq->channel;
    pthread_mutex_lock(&channel->lock);
    ((struct vtb_cq *) cq)->unacknowledged -= events;
    pthread_mutex_unlock(&channel->lock);
}
