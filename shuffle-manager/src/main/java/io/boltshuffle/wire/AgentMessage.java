package io.boltshuffle.wire;

import io.boltshuffle.wire.MessageCodec.Row;
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

        private void writeTo(WireWriter out) {
            out.i32(version);
            out.text("agent", agent, WireLimits.MAX_NAME_BYTES);
            out.i64(processId);
            slab.writeTo(out);
        }
    }

    /** Answers {@link ExecutorMessage.Register}. */
    record Registered() implements AgentMessage {}

    /** The agent refuses this session and ends it. */
    record Refused(FailureReason reason, String detail) implements AgentMessage {
        static Refused read(WireReader in) throws WireException {
            return new Refused(FailureReason.read(in), in.detail());
        }

        private void writeTo(WireWriter out) {
            reason.writeTo(out);
            out.detail(detail);
        }
    }

    /**
     * Verified bytes of a fetch, one slice after the other in the slab.
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

        private void writeTo(WireWriter out) {
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

        private void writeTo(WireWriter out) {
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

        private void writeTo(WireWriter out) {
            out.i64(requestId);
        }
    }

    /** The fetch is over; blocks that were not answered before will not come. */
    record Failed(long requestId, FailureReason reason, String detail) implements AgentMessage {
        static Failed read(WireReader in) throws WireException {
            return new Failed(in.i64("request"), FailureReason.read(in), in.detail());
        }

        private void writeTo(WireWriter out) {
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

        private void writeTo(WireWriter out) {
            out.text("host", host, WireLimits.MAX_NAME_BYTES);
        }
    }

    /** RDMA does not reach this host until {@link RouteUp}; executors do not ask. */
    record RouteDown(String host, FailureReason reason, String detail) implements AgentMessage {
        static RouteDown read(WireReader in) throws WireException {
            return new RouteDown(in.name("host"), FailureReason.read(in), in.detail());
        }

        private void writeTo(WireWriter out) {
            out.text("host", host, WireLimits.MAX_NAME_BYTES);
            reason.writeTo(out);
            out.detail(detail);
        }
    }

    /**
     * Asks the process for a block in its memory. It answers with {@link ExecutorMessage.BlockSize}, or with {@link
     * ExecutorMessage.NotLaid}.
     *
     * @param askId never used twice in a session
     * @param maxBytes a larger block is not wanted
     * @param timeoutMillis after this long the block is not wanted any more
     */
    record LayOut(long askId, BlockRange block, long maxBytes, long timeoutMillis) implements AgentMessage {
        static LayOut read(WireReader in) throws WireException {
            return new LayOut(
                    in.i64("ask"),
                    BlockRange.read(in),
                    in.number("block bytes", WireLimits.MAX_LIVE_BYTES),
                    in.number("timeout", WireLimits.MAX_TIMEOUT_MILLIS));
        }

        private void writeTo(WireWriter out) {
            out.i64(askId);
            block.writeTo(out);
            out.number("block bytes", maxBytes, WireLimits.MAX_LIVE_BYTES);
            out.number("timeout", timeoutMillis, WireLimits.MAX_TIMEOUT_MILLIS);
        }
    }

    /**
     * Memory for the block, to be written until {@link ExecutorMessage.Laid} or {@link ExecutorMessage.NotLaid}, one of
     * which has to follow.
     */
    record LayHere(long askId, long slabOffset, long bytes) implements AgentMessage {
        static LayHere read(WireReader in) throws WireException {
            return new LayHere(
                    in.i64("ask"),
                    in.number("slab offset", WireLimits.MAX_SLAB_BYTES),
                    in.number("block bytes", WireLimits.MAX_LIVE_BYTES));
        }

        private void writeTo(WireWriter out) {
            out.i64(askId);
            out.number("slab offset", slabOffset, WireLimits.MAX_SLAB_BYTES);
            out.number("block bytes", bytes, WireLimits.MAX_LIVE_BYTES);
        }
    }

    /** The block is not wanted any more; nothing has to follow. */
    record Unwanted(long askId) implements AgentMessage {
        static Unwanted read(WireReader in) throws WireException {
            return new Unwanted(in.i64("ask"));
        }

        private void writeTo(WireWriter out) {
            out.i64(askId);
        }
    }

    /** The agent's state as a JSON object. */
    record Status(String json) implements AgentMessage {
        static Status read(WireReader in) throws WireException {
            return new Status(in.text("status", WireLimits.MAX_STATUS_BYTES));
        }

        private void writeTo(WireWriter out) {
            out.text("status", json, WireLimits.MAX_STATUS_BYTES);
        }
    }

    record Pong(long token) implements AgentMessage {
        static Pong read(WireReader in) throws WireException {
            return new Pong(in.i64("token"));
        }

        private void writeTo(WireWriter out) {
            out.i64(token);
        }
    }

    /** The agent stops: it takes no new fetches, and the end of the socket follows. */
    record Goodbye(String detail) implements AgentMessage {
        static Goodbye read(WireReader in) throws WireException {
            return new Goodbye(in.detail());
        }

        private void writeTo(WireWriter out) {
            out.detail(detail);
        }
    }

    /** Number, reader and writer of each message. Numbers are never reused. */
    MessageCodec<AgentMessage> CODEC = new MessageCodec<>(
            "the agent",
            List.of(
                    new Row<>(1, Welcome.class, Welcome::read, Welcome::writeTo),
                    Row.empty(2, new Registered(), Registered.class),
                    new Row<>(3, Refused.class, Refused::read, Refused::writeTo),
                    new Row<>(4, Blocks.class, Blocks::read, Blocks::writeTo),
                    new Row<>(5, BlockFailures.class, BlockFailures::read, BlockFailures::writeTo),
                    new Row<>(6, Done.class, Done::read, Done::writeTo),
                    new Row<>(7, Failed.class, Failed::read, Failed::writeTo),
                    new Row<>(8, RouteUp.class, RouteUp::read, RouteUp::writeTo),
                    new Row<>(9, RouteDown.class, RouteDown::read, RouteDown::writeTo),
                    new Row<>(10, Status.class, Status::read, Status::writeTo),
                    new Row<>(11, Pong.class, Pong::read, Pong::writeTo),
                    new Row<>(12, Goodbye.class, Goodbye::read, Goodbye::writeTo),
                    new Row<>(15, LayOut.class, LayOut::read, LayOut::writeTo),
                    new Row<>(16, LayHere.class, LayHere::read, LayHere::writeTo),
                    new Row<>(17, Unwanted.class, Unwanted::read, Unwanted::writeTo)));
}
