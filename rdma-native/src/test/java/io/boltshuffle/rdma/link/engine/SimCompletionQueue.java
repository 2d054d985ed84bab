package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.Completions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A completion queue that must not overflow. */
final class SimCompletionQueue implements CompletionQueue {

    /** One completion. */
    record Entry(long workRequestId, CompletionStatus status, boolean receive, int bytes) {}

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final int capacity;
    private boolean closed;

    SimCompletionQueue(int capacity) {
        this.capacity = capacity;
    }

    void add(Entry entry) {
        entries.add(entry);
        if (entries.size() > capacity) {
            throw new AssertionError("a completion queue of " + capacity + " overflowed");
        }
    }

    @Override
    public Completions newCompletions(int capacityOfPoll) {
        return new SimCompletions(capacityOfPoll);
    }

    @Override
    public int poll(Completions into) {
        if (closed) {
            throw new AssertionError("a closed completion queue was polled");
        }
        SimCompletions batch = (SimCompletions) into;
        batch.taken.clear();
        while (batch.taken.size() < batch.room && !entries.isEmpty()) {
            batch.taken.add(entries.remove());
        }
        return batch.taken.size();
    }

    @Override
    public void close() {
        closed = true;
    }

    private static final class SimCompletions implements Completions {
        private final List<Entry> taken = new ArrayList<>();
        private final int room;

        private SimCompletions(int room) {
            this.room = room;
        }

        @Override
        public long workRequestId(int index) {
            return taken.get(index).workRequestId();
        }

        @Override
        public int status(int index) {
            return statusCode(taken.get(index).status());
        }

        @Override
        public boolean isReceive(int index) {
            return taken.get(index).receive();
        }

        @Override
        public int byteLength(int index) {
            return taken.get(index).bytes();
        }

        @Override
        public int vendorError(int index) {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static int statusCode(CompletionStatus status) {
        int code = 0;
        while (CompletionStatus.of(code) != status) {
            code++;
        }
        return code;
    }
}
