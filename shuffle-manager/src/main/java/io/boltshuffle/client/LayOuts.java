package io.boltshuffle.client;

import io.boltshuffle.loop.Loop;
import io.boltshuffle.wire.AgentMessage;
import io.boltshuffle.wire.ExecutorMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.WireException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks that the agent asks one session for.
 *
 * <p><b>Invariant:</b> memory that the agent lent counts as a lease of the session until its order is answered, so the
 * socket stays open while a thread of this process may write there.
 *
 * <p><b>Threads:</b> confined to the client's loop; orders are answered from any thread.
 */
final class LayOuts implements LayOut.Answers {

    private static final Logger LOG = LoggerFactory.getLogger(LayOuts.class);

    private static final class Open {
        private final LayOut order;
        private boolean lent;

        Open(LayOut order) {
            this.order = order;
        }
    }

    private final Loop loop;
    private final LayOutHandler handler;
    private final LeasedSlab slab;
    private final Consumer<ExecutorMessage> out;
    private final Map<Long, Open> open = new HashMap<>();

    LayOuts(Loop loop, LayOutHandler handler, LeasedSlab slab, Consumer<ExecutorMessage> out) {
        this.loop = loop;
        this.handler = handler;
        this.slab = slab;
        this.out = out;
    }

    void onAsked(AgentMessage.LayOut ask) {
        Optional<LiveBlock> block = LiveBlock.of(ask.block());
        if (block.isEmpty()) {
            out.accept(new ExecutorMessage.NotLaid(
                    ask.askId(), FailureReason.UNKNOWN_BLOCK, "blocks of shuffles are in files"));
            return;
        }
        LayOut order = new LayOut(ask.askId(), block.get(), ask.maxBytes(), ask.timeoutMillis(), this);
        open.put(ask.askId(), new Open(order));
        try {
            handler.onOrder(order);
        } catch (RuntimeException | Error e) {
            LOG.error("defect: a block cannot be laid out", e);
            order.failed(FailureReason.READ_ERROR, "a defect on the serving side: " + e);
        }
    }

    /** Memory for an order that was answered meanwhile is the agent's again already, by that answer. */
    void onMemory(AgentMessage.LayHere here) throws WireException {
        Open asked = open.get(here.askId());
        if (asked != null) {
            if (asked.lent) {
                throw new WireException("memory twice for block " + asked.order.block());
            }
            asked.lent = true;
            asked.order.offer(slab.lend(here));
        }
    }

    void onUnwanted(long askId) {
        Open asked = open.get(askId);
        if (asked != null && !asked.lent) {
            open.remove(askId);
            asked.order.refuse("the block is not wanted any more");
        }
    }

    /** The session is over: no memory will come. What was lent is given back as its orders are answered. */
    void end(String why) {
        for (Open asked : List.copyOf(open.values())) {
            if (!asked.lent) {
                open.remove(asked.order.askId());
                asked.order.refuse(why);
                out.accept(new ExecutorMessage.NotLaid(asked.order.askId(), FailureReason.STOPPING, why));
            }
        }
    }

    @Override
    public void size(LayOut order, long bytes) {
        loop.execute(
                () -> {
                    if (open.containsKey(order.askId())) {
                        out.accept(new ExecutorMessage.BlockSize(order.askId(), bytes));
                    } else {
                        order.refuse("the block is not wanted any more");
                    }
                },
                () -> order.refuse("the client of the agent has ended"));
    }

    @Override
    public void laid(LayOut order) {
        answer(order, new ExecutorMessage.Laid(order.askId()));
    }

    @Override
    public void failed(LayOut order, FailureReason reason, String detail) {
        answer(order, new ExecutorMessage.NotLaid(order.askId(), reason, detail));
    }

    private void answer(LayOut order, ExecutorMessage answer) {
        loop.execute(() -> {
            Open asked = open.remove(order.askId());
            if (asked != null && asked.lent) {
                slab.giveBack(answer);
            } else if (asked != null) {
                out.accept(answer);
            }
        });
    }
}
