package io.boltshuffle.agent.live;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.WireException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The owners of this host, and the blocks that they are asked for.
 *
 * <p><b>Invariant:</b> every question ends once, by the owner's answer, with the owner, or because it is called off. A
 * question whose owner writes to memory cannot be called off, because only the owner can say that it writes no more.
 *
 * <p><b>Threads:</b> confined to the agent's loop.
 */
public final class LiveBlocks {

    /** Questions to one owner at once. Each keeps a block from being dropped. */
    static final int MAX_ASKS = 256;

    private record OwnerKey(String application, String executor) {}

    private enum State {
        /** The owner looks for the block. */
        ASKED,
        /** The owner has the block, and waits for memory. */
        SIZED,
        /** The owner writes to the memory that it was lent. */
        WRITING
    }

    private static final class Ask {
        private final BlockOwner owner;
        private final BlockAsker asker;
        private final long maxBytes;
        private State state = State.ASKED;

        Ask(BlockOwner owner, BlockAsker asker, long maxBytes) {
            this.owner = owner;
            this.asker = asker;
            this.maxBytes = maxBytes;
        }
    }

    private final Map<OwnerKey, BlockOwner> owners = new HashMap<>();
    private final Map<Long, Ask> asks = new HashMap<>();
    private long lastAsk;
    private long laid;
    private long notLaid;

    /** Takes an owner in, in place of an earlier one of the same name. */
    public void add(String application, String executor, BlockOwner owner) {
        owners.put(new OwnerKey(application, executor), owner);
    }

    /**
     * The owner is not listened to any more, or has ended.
     *
     * @param mayWrite whether it may still write to memory that it was lent: those questions then stay open
     */
    public void remove(BlockOwner owner, boolean mayWrite, String why) {
        owners.values().removeIf(owner::equals);
        List<Long> ended = asks.entrySet().stream()
                .filter(entry -> entry.getValue().owner.equals(owner))
                .filter(entry -> !mayWrite || entry.getValue().state != State.WRITING)
                .map(Map.Entry::getKey)
                .toList();
        for (long askId : ended) {
            Ask ask = asks.remove(askId);
            if (ask != null) {
                notLaid++;
                ask.asker.onNotLaid(FailureReason.UNKNOWN_EXECUTOR, why);
            }
        }
    }

    /** Returns whether an owner may be writing to memory that it was lent. */
    public boolean isWriting(BlockOwner owner) {
        return asks.values().stream().anyMatch(ask -> ask.owner.equals(owner) && ask.state == State.WRITING);
    }

    /**
     * Asks the owner of a block. If there is no owner to ask, the asker gets its answer before this returns.
     *
     * @return the number of the question
     */
    public long ask(
            String application,
            String executor,
            BlockRange block,
            long maxBytes,
            long timeoutMillis,
            BlockAsker asker) {
        long askId = ++lastAsk;
        BlockOwner owner = owners.get(new OwnerKey(application, executor));
        if (owner == null) {
            notLaid++;
            asker.onNotLaid(
                    FailureReason.UNKNOWN_EXECUTOR,
                    "executor " + executor + " of " + application + " offers no blocks of its memory here");
        } else if (openAsks(owner) >= MAX_ASKS) {
            notLaid++;
            asker.onNotLaid(FailureReason.OVERLOADED, "executor " + executor + " is asked for " + MAX_ASKS + " blocks");
        } else {
            asks.put(askId, new Ask(owner, asker, maxBytes));
            owner.layOut(askId, block, maxBytes, timeoutMillis);
        }
        return askId;
    }

    private long openAsks(BlockOwner owner) {
        return asks.values().stream().filter(ask -> ask.owner.equals(owner)).count();
    }

    /** Lends memory for a block whose size is known. It is the owner's until it answers, or ends. */
    public void lend(long askId, long slabOffset, long bytes) {
        Ask ask = asks.get(askId);
        if (ask == null || ask.state != State.SIZED) {
            throw new IllegalStateException("memory for question " + askId + ", which waits for none");
        }
        ask.state = State.WRITING;
        ask.owner.layHere(askId, slabOffset, bytes);
    }

    /**
     * Calls a question off; the asker hears nothing more of it.
     *
     * @return false if the owner writes: the asker hears the end, and has to keep the memory until then
     */
    public boolean callOff(long askId) {
        Ask ask = asks.get(askId);
        if (ask != null && ask.state == State.WRITING) {
            return false;
        }
        if (ask != null) {
            asks.remove(askId);
            ask.owner.unwanted(askId);
        }
        return true;
    }

    /** The owner has the block. An answer to a question that was called off is passed over. */
    public void onSize(BlockOwner from, long askId, long bytes) throws WireException {
        Ask ask = of(from, askId);
        if (ask == null) {
            return;
        }
        if (ask.state != State.ASKED || bytes < 1 || bytes > ask.maxBytes) {
            throw new WireException("a block of " + bytes + " bytes, asked for at most " + ask.maxBytes);
        }
        ask.state = State.SIZED;
        ask.asker.onSize(bytes);
    }

    /** The owner has laid the block out. */
    public void onLaid(BlockOwner from, long askId) throws WireException {
        Ask ask = of(from, askId);
        if (ask == null || ask.state != State.WRITING) {
            throw new WireException("block of question " + askId + " was laid out, but not where");
        }
        asks.remove(askId);
        laid++;
        ask.asker.onLaid();
    }

    /** The owner does not lay the block out. An answer to a question that was called off is passed over. */
    public void onNotLaid(BlockOwner from, long askId, FailureReason reason, String detail) throws WireException {
        Ask ask = of(from, askId);
        if (ask != null) {
            asks.remove(askId);
            notLaid++;
            ask.asker.onNotLaid(reason, detail);
        }
    }

    /** Returns the owner of that name now, if there is one. */
    public Optional<BlockOwner> owner(String application, String executor) {
        return Optional.ofNullable(owners.get(new OwnerKey(application, executor)));
    }

    /**
     * Returns what has become of all questions.
     *
     * @param shared pulls for which the owner was not asked, because there was a copy already
     * @param keptBytes of copies that nothing holds
     */
    public LiveStatus status(long shared, long keptBytes) {
        return new LiveStatus(owners.size(), asks.size(), laid, notLaid, shared, keptBytes);
    }

    private @Nullable Ask of(BlockOwner from, long askId) throws WireException {
        Ask ask = asks.get(askId);
        if (ask != null && !ask.owner.equals(from)) {
            throw new WireException("an answer to question " + askId + ", which another process was asked");
        }
        return ask;
    }
}
