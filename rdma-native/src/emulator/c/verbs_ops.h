/* Layer 7, verbs. The calls that programs reach through the table in their context. */
#ifndef VTB_VERBS_OPS_H
#define VTB_VERBS_OPS_H

#include "verbs_abi.h"

int vtb_poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc);
int vtb_req_notify_cq(struct ibv_cq *cq, int solicited_only);
int vtb_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
int vtb_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);

#endif
