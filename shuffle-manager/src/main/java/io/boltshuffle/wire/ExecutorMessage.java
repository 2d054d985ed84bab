package io.boltshuffle.wire;

import io.boltshuffle.wire.MessageCodec.Row;
import java.util.List;

/** A message from an executor, or from a person's command, to the agent of its host. */
public sealed interface ExecutorMessage {

    /** First message of every session. */
    record Hello(int version, String client) implements ExecutorMessage {
        static Hello read(WireReader in) throws WireException {
            return new Hello(in.version(WireLimits.SESSION_VERSION, WireLimits.SESSION_REMEDY), in.name("client"));
        }

        private void writeTo(WireWriter out) {
            out.i32(version);
            out.text("client", client, WireLimits.MAX_NAME_BYTES);
        }
    }

    /** Makes the session an executor's: its files may be served from now on, and it may fetch. */
    record Register(Registration registration) implements ExecutorMessage {
        static Register read(WireReader in) throws WireException {
            return new Register(Registration.read(in));
        }

        private void writeTo(WireWriter out) {
            registration.writeTo(out);
        }
    }

    /**
     * Asks for blocks of one remote executor. The agent answers with any number of {@link AgentMessage.Blocks} and
     * {@link AgentMessage.BlockFailures}, then with {@link AgentMessage.Done} or {@link AgentMessage.Failed}.
     *
     * @param requestId chosen by the executor, never used twice in a session
     * @param host the remote executor's host as Spark names it
     * @param executor the remote executor
     * @param owner the task that the memory is charged to
     * @param timeoutMillis after this long the agent gives up
     */
    record Fetch(long requestId, String host, String executor, long owner, long timeoutMillis, List<BlockRange> blocks)
            implements ExecutorMessage {
        static Fetch read(WireReader in) throws WireException {
            return new Fetch(
                    in.i64("request"),
                    in.name("host"),
                    in.name("executor"),
                    in.i64("owner"),
                    in.number("timeout", WireLimits.MAX_TIMEOUT_MILLIS),
                    in.list("blocks", WireLimits.MAX_BLOCKS, BlockRange::read));
        }

        private void writeTo(WireWriter out) {
            out.i64(requestId);
            out.text("host", host, WireLimits.MAX_NAME_BYTES);
            out.text("executor", executor, WireLimits.MAX_NAME_BYTES);
            out.i64(owner);
            out.number("timeout", timeoutMillis, WireLimits.MAX_TIMEOUT_MILLIS);
            out.list("blocks", blocks, WireLimits.MAX_BLOCKS, (to, block) -> block.writeTo(to));
        }
    }

    /** Names hosts from which the executor will want blocks, so that the agent can connect before a task waits. */
    record Expect(List<String> hosts) implements ExecutorMessage {
        static Expect read(WireReader in) throws WireException {
            return new Expect(in.list("hosts", WireLimits.MAX_HOSTS, each -> each.name("host")));
        }

        private void writeTo(WireWriter out) {
            out.list(
                    "hosts",
                    hosts,
                    WireLimits.MAX_HOSTS,
                    (to, host) -> to.text("host", host, WireLimits.MAX_NAME_BYTES));
        }
    }

    /** The executor no longer reads this lease. */
    record Release(long leaseId) implements ExecutorMessage {
        static Release read(WireReader in) throws WireException {
            return new Release(in.i64("lease"));
        }

        private void writeTo(WireWriter out) {
            out.i64(leaseId);
        }
    }

    /** The agent may ask this process for blocks in its memory, by {@link AgentMessage.LayOut}, from now on. */
    record OwnsBlocks() implements ExecutorMessage {}

    /**
     * First answer to {@link AgentMessage.LayOut}: asks for memory for the block, which is kept as it is meanwhile. The
     * agent answers with {@link AgentMessage.LayHere} or {@link AgentMessage.Unwanted}.
     */
    record BlockSize(long askId, long bytes) implements ExecutorMessage {
        static BlockSize read(WireReader in) throws WireException {
            return new BlockSize(in.i64("ask"), in.number("block bytes", WireLimits.MAX_LIVE_BYTES));
        }

        private void writeTo(WireWriter out) {
            out.i64(askId);
            out.number("block bytes", bytes, WireLimits.MAX_LIVE_BYTES);
        }
    }

    /** The block lies in the memory of {@link AgentMessage.LayHere}, which this process touches no more. */
    record Laid(long askId) implements ExecutorMessage {
        static Laid read(WireReader in) throws WireException {
            return new Laid(in.i64("ask"));
        }

        private void writeTo(WireWriter out) {
            out.i64(askId);
        }
    }

    /** The block will not be laid out. Memory that was lent for it is touched no more. */
    record NotLaid(long askId, FailureReason reason, String detail) implements ExecutorMessage {
        static NotLaid read(WireReader in) throws WireException {
            return new NotLaid(in.i64("ask"), FailureReason.read(in), in.detail());
        }

        private void writeTo(WireWriter out) {
            out.i64(askId);
            reason.writeTo(out);
            out.detail(detail);
        }
    }

    /** Asks for {@link AgentMessage.Status}. */
    record StatusRequest() implements ExecutorMessage {}

    /**
     * Leaves the cables to other programs, or uses them again. Only a person's command sends it.
     *
     * @param seconds how long; 0 ends a pause, {@link WireLimits#MAX_PAUSE_SECONDS} has no end
     */
    record Pause(long seconds) implements ExecutorMessage {
        static Pause read(WireReader in) throws WireException {
            return new Pause(in.number("seconds", WireLimits.MAX_PAUSE_SECONDS));
        }

        private void writeTo(WireWriter out) {
            out.number("seconds", seconds, WireLimits.MAX_PAUSE_SECONDS);
        }
    }

    record Ping(long token) implements ExecutorMessage {
        static Ping read(WireReader in) throws WireException {
            return new Ping(in.i64("token"));
        }

        private void writeTo(WireWriter out) {
            out.i64(token);
        }
    }

    /** The session ends in good order; all its leases go back. */
    record Bye() implements ExecutorMessage {}

    /** Number, reader and writer of each message. Numbers are never reused. */
    MessageCodec<ExecutorMessage> CODEC = new MessageCodec<>(
            "an executor",
            List.of(
                    new Row<>(1, Hello.class, Hello::read, Hello::writeTo),
                    new Row<>(2, Register.class, Register::read, Register::writeTo),
                    new Row<>(3, Fetch.class, Fetch::read, Fetch::writeTo),
                    new Row<>(4, Release.class, Release::read, Release::writeTo),
                    Row.empty(5, new StatusRequest(), StatusRequest.class),
                    new Row<>(6, Ping.class, Ping::read, Ping::writeTo),
                    Row.empty(7, new Bye(), Bye.class),
                    new Row<>(8, Expect.class, Expect::read, Expect::writeTo),
                    Row.empty(12, new OwnsBlocks(), OwnsBlocks.class),
                    new Row<>(13, BlockSize.class, BlockSize::read, BlockSize::writeTo),
                    new Row<>(14, Laid.class, Laid::read, Laid::writeTo),
                    new Row<>(15, NotLaid.class, NotLaid::read, NotLaid::writeTo),
                    new Row<>(16, Pause.class, Pause::read, Pause::writeTo)));
}
