/*
 * Layer 7, verbs. Completion channels: descriptors that can be read once an armed completion queue has news. Queues
 * have no producer in this process that could tell, so a thread of the channel looks while one of them is armed.
 */
#ifndef VTB_EVENTS_H
#define VTB_EVENTS_H

#include "vtb.h"

/* Whether completions came to the queue since it was armed; called on the channel's thread. */
typedef bool vtb_news(struct ibv_cq *cq);

/* A queue is created that announces here. */
void vtb_channel_join(struct ibv_comp_channel *channel);

/* Announces the queue's next news, once. */
void vtb_channel_arm(struct ibv_comp_channel *channel, struct ibv_cq *cq, vtb_news *has_news);

/* The queue is about to be destroyed: takes its announcements back. False while some were taken but not acknowledged. */
bool vtb_channel_leave(struct ibv_comp_channel *channel, struct ibv_cq *cq);

#endif
