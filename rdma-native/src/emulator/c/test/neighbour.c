/*
 * Layer 8, programs. vtbneighbour: a program that uses a cable as MLX's JACCL does, to stand beside ours: on each of two
 * hosts 64 memory regions from posix_memalign and one queue pair of a device, asked for 32 deep and filled with 256
 * frames, receives posted after RTS, sgid_index 1 and packet number 7. Two processes exchange messages and check them
 * until standard input ends. Prints a line when the first exchange was right, and one at the end.
 */
#include "../futex.h"
#include "../kit.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGIONS = 64, DEPTH = 32, MESSAGES = 2, MESSAGE_BYTES = 512 << 10, SMALL_BYTES = 16 << 10, GID_INDEX = 1, PSN = 7 };
static const uint64_t STALL_NANOS = 60000000000u;

struct address {
    union ibv_gid gid;
    uint32_t number;
};

static int other;
static struct ibv_mr *regions[REGIONS];
static struct ibv_cq *cq;
static struct ibv_qp *qp;

static _Noreturn void die(const char *what, int error) {
    fprintf(stderr, "vtbneighbour: %s: %s\n", what, strerror(error < 0 ? -error : error));
    exit(1);
}

static void check(const char *what, int rc) {
    if (rc) {
        die(what, rc);
    }
}

/* The first 2 * MESSAGES regions carry messages, and the others are only held. */
static void register_regions(struct ibv_pd *pd) {
    for (int i = 0; i < REGIONS; i++) {
        size_t bytes = i < 2 * MESSAGES ? MESSAGE_BYTES : SMALL_BYTES;
        void *memory;
        check("posix_memalign", posix_memalign(&memory, SMALL_BYTES, bytes));
        memset(memory, 0, bytes);
        regions[i] = ibv_reg_mr(pd, memory, bytes, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
        if (!regions[i]) {
            die("register a memory region", errno);
        }
    }
}

static void connect_queue_pair(struct ibv_context *context) {
    struct address mine = {.number = qp->qp_num};
    struct address theirs;
    check("query_gid", ibv_query_gid(context, 1, GID_INDEX, &mine.gid));
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1};
    check("INIT", ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    check("meet the other side", kit_exchange(other, &mine, &theirs, sizeof mine));
    attr = (struct ibv_qp_attr){
        .qp_state = IBV_QPS_RTR,
        .path_mtu = IBV_MTU_4096,
        .dest_qp_num = theirs.number,
        .rq_psn = PSN,
        .ah_attr = {.dgid = theirs.gid, .sgid_index = GID_INDEX, .hop_limit = 1, .is_global = 1, .port_num = 1},
    };
    check("RTR",
          ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN));
    attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .sq_psn = PSN};
    check("RTS", ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN));
}

static void open_device(const char *device) {
    struct ibv_context *context = kit_open_device(device);
    struct ibv_pd *pd = context ? ibv_alloc_pd(context) : NULL;
    if (!pd) {
        die("open the device", errno);
    }
    register_regions(pd);
    cq = ibv_create_cq(context, REGIONS, NULL, NULL, 0);
    struct ibv_qp_init_attr init = {
        .send_cq = cq,
        .recv_cq = cq,
        .cap = {.max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_UC,
    };
    qp = cq ? ibv_create_qp(pd, &init) : NULL;
    if (!qp) {
        die("make a queue pair", errno);
    }
    connect_queue_pair(context);
}

static struct ibv_sge all_of(int region) {
    return (struct ibv_sge){(uintptr_t) regions[region]->addr, MESSAGE_BYTES, regions[region]->lkey};
}

static void post_receive(int region) {
    struct ibv_sge sge = all_of(region);
    struct ibv_recv_wr wr = {.wr_id = (uint64_t) region, .sg_list = &sge, .num_sge = 1};
    struct ibv_recv_wr *bad;
    check("post_recv", ibv_post_recv(qp, &wr, &bad));
}

static void post_send(int region, uint64_t tag) {
    uint64_t *words = regions[region]->addr;
    for (size_t i = 0; i < MESSAGE_BYTES / sizeof *words; i++) {
        words[i] = tag + i;
    }
    struct ibv_sge sge = all_of(region);
    struct ibv_send_wr wr = {.wr_id = (uint64_t) region,
                             .sg_list = &sge,
                             .num_sge = 1,
                             .opcode = IBV_WR_SEND,
                             .send_flags = IBV_SEND_SIGNALED};
    struct ibv_send_wr *bad;
    check("post_send", ibv_post_send(qp, &wr, &bad));
}

static void await_completions(int count) {
    uint64_t end = vtb_now() + STALL_NANOS;
    while (count > 0) {
        struct ibv_wc wc;
        int got = ibv_poll_cq(cq, 1, &wc);
        if (got && wc.status != IBV_WC_SUCCESS) {
            die(ibv_wc_status_str(wc.status), EIO);
        }
        count -= got;
        if (!got && vtb_now() > end) {
            die("no completion", ETIMEDOUT);
        }
        if (!got) {
            vtb_pause_nanos(20000);
        }
    }
}

static void check_received(int region, uint64_t tag) {
    const uint64_t *words = regions[region]->addr;
    for (size_t i = 0; i < MESSAGE_BYTES / sizeof *words; i++) {
        if (words[i] != tag + i) {
            die("a message holds other bytes", EBADMSG);
        }
    }
}

static bool input_ended(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char byte;
    return poll(&input, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) <= 0;
}

/* Both sides send at once. Side 0 decides when they stop. */
static uint64_t run(int side) {
    uint64_t rounds = 0;
    for (bool first = true;; first = false) {
        char mine = side == 0 && input_ended();
        char theirs;
        for (int i = 0; i < MESSAGES; i++) {
            post_receive(MESSAGES + i);
        }
        check("meet the other side", kit_exchange(other, &mine, &theirs, 1));
        if (mine || theirs) {
            return rounds;
        }
        for (int i = 0; i < MESSAGES; i++) {
            post_send(i, (rounds << 32) + (uint64_t) i);
        }
        await_completions(2 * MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            check_received(MESSAGES + i, (rounds << 32) + (uint64_t) i);
        }
        rounds++;
        if (first && side == 0) {
            puts("ready");
            fflush(stdout);
        }
    }
}

static uint64_t run_side(int side, char *place) {
    char *device = strchr(place, ':');
    if (!device) {
        die(place, EINVAL);
    }
    *device++ = 0;
    setenv("BOLT_VTB_HOST", place, 1);
    open_device(device);
    return run(side);
}

int main(int count, char **words) {
    int sockets[2];
    if (count != 4) {
        fputs("usage: vtbneighbour TOPOLOGY HOST:rdma_enX HOST:rdma_enY\n", stderr);
        return 2;
    }
    setenv("BOLT_VTB_TOPOLOGY", words[1], 1);
    check("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) ? errno : 0);
    pid_t child = fork();
    int side = child == 0;
    other = sockets[side];
    close(sockets[!side]);
    uint64_t rounds = run_side(side, words[2 + side]);
    if (side) {
        return 0;
    }
    int status;
    waitpid(child, &status, 0);
    printf("%llu rounds right\n", (unsigned long long) rounds);
    return status ? 1 : 0;
}
