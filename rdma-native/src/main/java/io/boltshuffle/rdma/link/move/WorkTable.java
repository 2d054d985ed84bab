package io.boltshuffle.rdma.link.move;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import io.boltshuffle.rdma.link.MessageCut;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The work requests posted on one queue. A work request id names a slot and its generation, so that a completion that
 * comes twice, or for something never posted, is found out. Slots are used again; nothing is allocated per message.
 *
 * @param <H> what the memory of a work request is held by
 */
final class WorkTable<H> {

    /** The queue a work request was posted on, as the lowest bit of its id. */
    enum Side {
        FETCHING(0),
        SERVING(1);

        private final int bit;

        Side(int bit) {
            this.bit = bit;
        }

        static Side of(long workRequestId) {
            return (workRequestId & 1) == 0 ? FETCHING : SERVING;
        }
    }

    /** One posted work request. */
    static final class Slot<H> {
        private final int index;
        private final Side side;
        private int generation;
        private @Nullable H holder;
        private int message;
        private int length;

        private Slot(int index, Side side) {
            this.index = index;
            this.side = side;
        }

        long workRequestId() {
            return ((long) generation << 32) | ((long) index << 1) | side.bit;
        }

        H holder() {
            return Objects.requireNonNull(holder);
        }

        int message() {
            return message;
        }

        int length() {
            return length;
        }

        int frames() {
            return MessageCut.frames(length);
        }
    }

    private final Side side;
    private final List<Slot<H>> slots = new ArrayList<>();
    private final ArrayDeque<Slot<H>> free = new ArrayDeque<>();

    WorkTable(Side side) {
        this.side = side;
    }

    Slot<H> take(H holder, int message, int length) {
        Slot<H> slot = free.poll();
        if (slot == null) {
            slot = new Slot<>(slots.size(), side);
            slots.add(slot);
        }
        slot.holder = holder;
        slot.message = message;
        slot.length = length;
        return slot;
    }

    void give(Slot<H> slot) {
        slot.holder = null;
        slot.generation++;
        free.push(slot);
    }

    /** The device is done with it, though its holder is not: a second completion of it is refused. */
    void retire(Slot<H> slot) {
        slot.generation++;
    }

    /** Returns the slot of a completion. */
    Slot<H> find(long workRequestId) throws LinkDownException {
        int index = (int) workRequestId >>> 1;
        if (index < slots.size()) {
            Slot<H> slot = slots.get(index);
            if (slot.holder != null && slot.workRequestId() == workRequestId) {
                return slot;
            }
        }
        throw new LinkDownException(
                Reason.BAD_COMPLETION,
                "a completion for work request 0x" + Long.toHexString(workRequestId) + " came, which is not posted");
    }
}
