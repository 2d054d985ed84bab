package io.boltshuffle.wire;

import java.util.List;

/** One message of every type, with every field away from its default. */
final class SampleMessages {

    static final List<BlockRange> BLOCKS =
            List.of(new BlockRange(0, 0, 0, 1), new BlockRange(7, 1L << 40, 3, 9), new BlockRange(1, 2, 0, 1 << 30));
    static final List<BlockSlice> SLICES =
            List.of(new BlockSlice(0, 0, 10, 10), new BlockSlice(2, 1L << 33, 1L << 20, 1L << 34));
    static final List<BlockFailure> FAILURES = List.of(new BlockFailure(1, FailureReason.READ_ERROR));

    static final List<ExecutorMessage> TO_AGENT = List.of(
            new ExecutorMessage.Hello(WireLimits.SESSION_VERSION, "executor"),
            new ExecutorMessage.Register(new Registration(
                    "app-1", "3", List.of("/tmp/a", "/tmp/ü b"), 64, "sort", Secret.of(new byte[] {1, 2, 3}), true)),
            new ExecutorMessage.Fetch(5, "127.0.0.3", "4", 77, 30_000, BLOCKS),
            new ExecutorMessage.Release(-9),
            new ExecutorMessage.StatusRequest(),
            new ExecutorMessage.Ping(42),
            new ExecutorMessage.Pause(7200),
            new ExecutorMessage.Expect(List.of("mac1", "mac2")),
            new ExecutorMessage.OwnsBlocks(),
            new ExecutorMessage.BlockSize(9, 4 << 20),
            new ExecutorMessage.Laid(9),
            new ExecutorMessage.NotLaid(9, FailureReason.UNKNOWN_BLOCK, "dropped"),
            new ExecutorMessage.Bye());

    static final List<AgentMessage> TO_EXECUTOR = List.of(
            new AgentMessage.Welcome(
                    WireLimits.SESSION_VERSION, "127.0.0.2", 4711, new SlabFacts(true, "/slab", 1L << 33, -5, 6)),
            new AgentMessage.Registered(),
            new AgentMessage.Refused(FailureReason.PROTOCOL, "speaks version 9"),
            new AgentMessage.Blocks(5, 12, 1L << 32, true, SLICES),
            new AgentMessage.BlockFailures(5, FAILURES, "file is short"),
            new AgentMessage.Done(5),
            new AgentMessage.Failed(5, FailureReason.DEADLINE, "30 s"),
            new AgentMessage.RouteUp("127.0.0.3"),
            new AgentMessage.RouteDown("127.0.0.3", FailureReason.NO_CABLE, "none"),
            new AgentMessage.Status("{\"executors\":[]}"),
            new AgentMessage.Pong(42),
            new AgentMessage.LayOut(9, new LiveBlock(LiveBlock.Kind.BROADCAST_PIECE, 4, 2).toRange(), 64 << 20, 30_000),
            new AgentMessage.LayHere(9, 1 << 20, 4 << 20),
            new AgentMessage.Unwanted(9),
            new AgentMessage.Goodbye("SIGTERM"));

    static final List<ControlMessage> BETWEEN_AGENTS = List.of(
            new ControlMessage.Hello(WireLimits.CONTROL_VERSION, "127.0.0.2", 99, opaque(32), true),
            new ControlMessage.Proof(opaque(32)),
            new ControlMessage.Refused(FailureReason.REFUSED, "wrong secret"),
            new ControlMessage.Heartbeat(),
            new ControlMessage.ApplicationProofs(List.of(opaque(32), opaque(32))),
            new ControlMessage.ApplicationAnswers(List.of(opaque(32)), List.of(opaque(32))),
            new ControlMessage.Superseded(),
            new ControlMessage.Pull(8, new PullRequest("app-1", "4", 30_000, 1 << 24, 4096, BLOCKS)),
            new ControlMessage.Ready(8, SLICES, FAILURES, "file is short", List.of(new Stripe(1, 4096, opaque(100)))),
            new ControlMessage.NotReady(8, FailureReason.NO_MEMORY, "slab is full"),
            new ControlMessage.Free(8),
            new ControlMessage.LinkStart(3, new PortName("rdma_en5", 1), new PortName("rdma_en6", 2)),
            new ControlMessage.LinkEnd(3, "no such device"),
            new ControlMessage.LinkPayload(1, opaque(300)),
            new ControlMessage.Ports(List.of(new PortFacts(
                    new PortName("rdma_en5", 1),
                    "THUNDERBOLT",
                    "A-1",
                    "B-2",
                    List.of(opaque(16)),
                    List.of(opaque(16))))),
            new ControlMessage.Goodbye("SIGTERM"));

    static Opaque opaque(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return Opaque.of(bytes);
    }

    private SampleMessages() {}
}
