package io.boltshuffle.wire;

import java.util.List;

/** A message from the agent to an executor of its host. */
public sealed interface AgentMessage {

    /**
     * Answers {@link ExecutorMessage.Hello}.
     *
     * @param agent the agent's host identity
     * @param processId of the agent
     * @param slab the shared memory in which fetched blocks arrive
     */
    record Welcome(int version, String agent, long processId, SlabFacts slab) implements AgentMessage {
        static Welcome read(WireReader in) throws WireException {
            return new Welcome(
                    in.version(WireLimits.SESSION_VERSION, WireLimits.SESSION_REMEDY),
                    in.name("agent"),
                    in.i64("process"),
                    SlabFacts.read(in));
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.WELCOME);
            out.i32(version);
            out.text("agent", agent, WireLimits.MAX_NAME_BYTES);
            out.i64(processId);
            slab.writeTo(out);
        }
    }

    /** Answers {@link ExecutorMessage.Register}. */
    record Registered() implements AgentMessage {
        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.REGISTERED);
        }
    }

    /** The agent refuses this session and ends it. */
    record Refused(FailureReason reason, String detail) implements AgentMessage {
        static Refused read(WireReader in) throws WireException {
            return new Refused(FailureReason.read(in), in.detail());
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.REFUSED);
            reason.writeTo(out);
            out.detail(detail);
        }
    }

    /**
     * Verified bytes of a fetch, back to back in the slab.
     *
     * @param requestId of the fetch
     * @param leaseId the executor releases it once, when it reads none of these bytes any more
     * @param slabOffset of the first slice's first byte
     * @param copyOut the pool is short: the executor copies the bytes and releases them at once
     */
    record Blocks(long requestId, long leaseId, long slabOffset, boolean copyOut, List<BlockSlice> slices)
            implements AgentMessage {
        static Blocks read(WireReader in) throws WireException {
            return new Blocks(
                    in.i64("request"),
                    in.i64("lease"),
                    in.number("slab offset", WireLimits.MAX_SLAB_BYTES),
                    in.flag("copy out"),
                    in.list("slices", WireLimits.MAX_BLOCKS, BlockSlice::read));
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.BLOCKS);
            out.i64(requestId);
            out.i64(leaseId);
            out.number("slab offset", slabOffset, WireLimits.MAX_SLAB_BYTES);
            out.flag(copyOut);
            out.list("slices", slices, WireLimits.MAX_BLOCKS, (to, slice) -> slice.writeTo(to));
        }
    }

    /**
     * Blocks of a fetch that will not come this way; its other blocks still may.
     *
     * @param detail about the first of them, for people
     */
    record BlockFailures(long requestId, List<BlockFailure> failures, String detail) implements AgentMessage {
        static BlockFailures read(WireReader in) throws WireException {
            return new BlockFailures(
                    in.i64("request"), in.list("failures", WireLimits.MAX_BLOCKS, BlockFailure::read), in.detail());
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.BLOCK_FAILURES);
            out.i64(requestId);
            out.list("failures", failures, WireLimits.MAX_BLOCKS, (to, failure) -> failure.writeTo(to));
            out.detail(detail);
        }
    }

    /** Every block of the fetch was answered. */
    record Done(long requestId) implements AgentMessage {
        static Done read(WireReader in) throws WireException {
            return new Done(in.i64("request"));
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.DONE);
            out.i64(requestId);
        }
    }

    /** The fetch is over; blocks that were not answered before will not come. */
    record Failed(long requestId, FailureReason reason, String detail) implements AgentMessage {
        static Failed read(WireReader in) throws WireException {
            return new Failed(in.i64("request"), FailureReason.read(in), in.detail());
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.FAILED);
            out.i64(requestId);
            reason.writeTo(out);
            out.detail(detail);
        }
    }

    /** RDMA reaches this host from now on. Executors may also try hosts that no message mentioned. */
    record RouteUp(String host) implements AgentMessage {
        static RouteUp read(WireReader in) throws WireException {
            return new RouteUp(in.name("host"));
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.ROUTE_UP);
            out.text("host", host, WireLimits.MAX_NAME_BYTES);
        }
    }

    /** RDMA does not reach this host until {@link RouteUp}; executors do not ask. */
    record RouteDown(String host, FailureReason reason, String detail) implements AgentMessage {
        static RouteDown read(WireReader in) throws WireException {
            return new RouteDown(in.name("host"), FailureReason.read(in), in.detail());
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.ROUTE_DOWN);
            out.text("host", host, WireLimits.MAX_NAME_BYTES);
            reason.writeTo(out);
            out.detail(detail);
        }
    }

    /** The agent's state as a JSON object. */
    record Status(String json) implements AgentMessage {
        static Status read(WireReader in) throws WireException {
            return new Status(in.text("status", WireLimits.MAX_STATUS_BYTES));
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.STATUS);
            out.text("status", json, WireLimits.MAX_STATUS_BYTES);
        }
    }

    record Pong(long token) implements AgentMessage {
        static Pong read(WireReader in) throws WireException {
            return new Pong(in.i64("token"));
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.PONG);
            out.i64(token);
        }
    }

    /** The agent stops: it takes no new fetches, and the end of the socket follows. */
    record Goodbye(String detail) implements AgentMessage {
        static Goodbye read(WireReader in) throws WireException {
            return new Goodbye(in.detail());
        }

        @Override
        public void writeTo(WireWriter out) {
            out.u8(Type.GOODBYE);
            out.detail(detail);
        }
    }

    /** The numbers of the messages on the wire. A number is never reused. */
    final class Type {
        static final int WELCOME = 1;
        static final int REGISTERED = 2;
        static final int REFUSED = 3;
        static final int BLOCKS = 4;
        static final int BLOCK_FAILURES = 5;
        static final int DONE = 6;
        static final int FAILED = 7;
        static final int ROUTE_UP = 8;
        static final int ROUTE_DOWN = 9;
        static final int STATUS = 10;
        static final int PONG = 11;
        static final int GOODBYE = 12;

        private Type() {}
    }

    void writeTo(WireWriter out);
}
