package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.SendBatch;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.verbs.Errno.Platform;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.locks.LockSupport;

/**
 * A sequence of verbs calls, good and bad, and what each came to in words that can be compared between devices. Every
 * step has two fresh queue pairs, left and right.
 */
final class VerbsScript {

    private static final int MEMORY = 1 << 20;
    private static final int FRAME = 4096;

    /** After this long no completion comes any more, even in a guest that runs on two slow cores. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final VerbsProvider left;
    private final VerbsProvider right;
    private final Platform platform;
    private final QueuePairType type;
    private final Map<String, String> outcomes = new LinkedHashMap<>();

    /** One step: returns what it saw, or throws what a call answered. */
    @FunctionalInterface
    private interface Step {
        String run(TestEndpoint left, TestEndpoint right) throws VerbsException;
    }

    /** A call that may be refused. */
    @FunctionalInterface
    private interface Call {
        void run() throws VerbsException;
    }

    private VerbsScript(VerbsProvider left, VerbsProvider right, Platform platform, QueuePairType type) {
        this.left = left;
        this.right = right;
        this.platform = platform;
        this.type = type;
    }

    /**
     * Runs all steps.
     *
     * @param left whose {@code rdma_en5} is the left end
     * @param right whose {@code rdma_en6} is the right end
     * @param platform whose errno numbers the devices speak
     * @return what came of each step, by its name
     */
    static Map<String, String> run(VerbsProvider left, VerbsProvider right, Platform platform, QueuePairType type)
            throws VerbsException {
        VerbsScript script = new VerbsScript(left, right, platform, type);
        script.changeStates();
        script.move();
        script.breakMessages();
        script.breakKeys();
        script.overPost();
        script.tearDown();
        return script.outcomes;
    }

    private void changeStates() throws VerbsException {
        step("RTR from RESET", (a, b) -> call(() -> toReadyToReceive(a, b)));
        step("RTS from RESET", (a, b) -> call(() -> a.queuePair.readyToSend(1)));
        step("RTS from INIT", (a, b) -> {
            a.initialize();
            return call(() -> a.queuePair.readyToSend(1));
        });
        step("INIT from INIT", (a, b) -> {
            a.initialize();
            return call(a::initialize);
        });
        step("INIT from RTS", (a, b) -> {
            connect(a, b);
            return call(a::initialize);
        });
        step(
                "INIT on a port that is not there",
                (a, b) -> call(() -> a.queuePair.initialize(9, Set.of(AccessFlag.LOCAL_WRITE))));
        step("RTR with a GID index that is not there", (a, b) -> {
            a.initialize();
            return call(() -> a.queuePair.readyToReceive(TestEndpoint.PORT, 200, b.address(), TestEndpoint.MTU_4096));
        });
        step("RTR with a path MTU that is none", (a, b) -> {
            a.initialize();
            return call(() ->
                    a.queuePair.readyToReceive(TestEndpoint.PORT, a.ipv4Gid().index(), b.address(), 9));
        });
        step("SEND posted in INIT", (a, b) -> {
            a.initialize();
            return call(() -> a.send(1, 0, FRAME)) + "; " + completions(a, 1);
        });
        step("receive posted in RESET", (a, b) -> call(() -> a.receive(1, 0, FRAME)));
        step("receive posted in INIT", (a, b) -> {
            b.initialize();
            return call(() -> b.receive(1, 0, FRAME));
        });
    }

    private void move() throws VerbsException {
        step("SEND into a receive of its size", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, 2 * FRAME);
            a.send(2, 0, 2 * FRAME);
            return completions(a, 1) + " / " + completions(b, 1);
        });
        step("SEND with no receive posted", (a, b) -> {
            connect(a, b);
            a.send(2, 0, FRAME);
            return completions(a, 1) + " / " + completions(b, 1);
        });
        step("receive posted behind the SEND", (a, b) -> {
            connect(a, b);
            a.send(2, 0, FRAME);
            completions(a, 1);
            b.receive(1, 0, FRAME);
            return completions(b, 1);
        });
        step("READ", (a, b) -> {
            connect(a, b);
            return read(a, b.at(0), 2 * FRAME, b.region.remoteKey());
        });
    }

    private void breakMessages() throws VerbsException {
        step("SEND longer than the receive", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, FRAME);
            a.send(2, 0, 2 * FRAME);
            return completions(a, 1) + " / " + completions(b, 1);
        });
        step("SEND a frame shorter than the receive", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, 2 * FRAME);
            a.send(2, 0, FRAME);
            return completions(a, 1) + " / " + completions(b, 1);
        });
        step("SEND a byte shorter than the receive", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, FRAME);
            a.send(2, 0, FRAME - 1);
            return completions(a, 1) + " / " + completions(b, 1);
        });
        step("the next SEND after one that was too long", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, FRAME);
            b.receive(2, FRAME, FRAME);
            a.send(3, 0, 2 * FRAME);
            completions(a, 1);
            String failed = completions(b, 1);
            a.send(4, 0, FRAME);
            return failed + ", then " + completions(b, 1);
        });
    }

    private void breakKeys() throws VerbsException {
        step("SEND with a local key that is none", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, FRAME);
            a.sends.addSend(2, a.at(0), FRAME, a.region.localKey() ^ 0x55_5500);
            return call(() -> a.queuePair.post(a.sends)) + "; " + completions(a, 1);
        });
        step("SEND from beyond the region", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, 2 * FRAME);
            a.sends.addSend(2, a.at(MEMORY - FRAME), 2 * FRAME, a.region.localKey());
            return call(() -> a.queuePair.post(a.sends)) + "; " + completions(a, 1);
        });
        step("receive with a local key that is none", (a, b) -> {
            connect(a, b);
            b.receives.addReceive(1, b.at(0), FRAME, b.region.localKey() ^ 0x55_5500);
            String posted = call(() -> b.queuePair.post(b.receives));
            a.send(2, 0, FRAME);
            return posted + "; " + completions(a, 1) + " / " + completions(b, 1);
        });
        step("READ with a remote key that is none", (a, b) -> {
            connect(a, b);
            return read(a, b.at(0), FRAME, b.region.remoteKey() ^ 0x55_5500);
        });
        step("READ beyond the remote region", (a, b) -> {
            connect(a, b);
            return read(a, b.at(MEMORY - FRAME), 2 * FRAME, b.region.remoteKey());
        });
        step("READ from a queue pair that does not allow it", (a, b) -> {
            a.initialize();
            b.queuePair.initialize(TestEndpoint.PORT, Set.of(AccessFlag.LOCAL_WRITE));
            a.connect(b.address());
            b.connect(a.address());
            return read(a, b.at(0), FRAME, b.region.remoteKey());
        });
    }

    private void overPost() throws VerbsException {
        step("more receives than the granted depth", (a, b) -> {
            connect(a, b);
            int depth = b.queuePair.grantedDepth().receive();
            for (int posted = 0; posted <= depth; posted++) {
                String answer = postReceive(b, posted);
                if (!answer.equals("ok")) {
                    return answer + (posted == depth ? " at the one too many" : " before the depth was used up");
                }
            }
            return "ok";
        });
        step("a chain of more SENDs than the granted depth", (a, b) -> {
            connect(a, b);
            int depth = a.queuePair.grantedDepth().send();
            try (SendBatch chain = a.queuePair.newSendBatch(depth + 1)) {
                for (int i = 0; i <= depth; i++) {
                    chain.addSend(i, a.at(0), 64, a.region.localKey());
                }
                return call(() -> a.queuePair.post(chain));
            }
        });
        step(
                "a queue pair deeper than any device has",
                (a, b) -> call(() -> a.domain.createQueuePair(
                        new QueuePairRequest(type, a.completionQueue, a.completionQueue, 1 << 24, 1 << 24))));
        step(
                "a completion queue larger than any device has",
                (a, b) -> call(() -> a.device.createCompletionQueue(1 << 30)));
        step(
                "memory registered that is not mapped",
                (a, b) -> call(() -> a.domain.register(FRAME, FRAME, Set.of(AccessFlag.LOCAL_WRITE))));
    }

    private void tearDown() throws VerbsException {
        step("poll with nothing there", (a, b) -> completions(a, 1));
        step("ERR with receives posted", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, FRAME);
            b.receive(2, FRAME, FRAME);
            return call(b::fail) + "; " + completions(b, 2);
        });
        step("receive posted in ERR", (a, b) -> {
            connect(a, b);
            b.fail();
            return call(() -> b.receive(1, 0, FRAME)) + "; " + completions(b, 1);
        });
        step("SEND posted in ERR", (a, b) -> {
            connect(a, b);
            a.fail();
            return call(() -> a.send(1, 0, FRAME)) + "; " + completions(a, 1);
        });
        step("SEND to a queue pair in ERR", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, FRAME);
            b.fail();
            completions(b, 1);
            a.send(1, 0, FRAME);
            return completions(a, 1);
        });
        step("queue pair destroyed with work posted", (a, b) -> {
            connect(a, b);
            b.receive(1, 0, FRAME);
            a.sends.addSend(2, a.at(0), FRAME, a.region.localKey());
            a.sends.addSend(3, a.at(0), FRAME, a.region.localKey());
            a.queuePair.post(a.sends);
            return call(a.queuePair::close) + " / " + call(b.queuePair::close);
        });
        step("completion queue destroyed before its queue pair", (a, b) -> call(a.completionQueue::close));
        step("domain given back before its region", (a, b) -> call(a.domain::close));
    }

    /** The left end sends to the right one; both can receive. */
    private static void connect(TestEndpoint a, TestEndpoint b) throws VerbsException {
        a.initialize();
        b.initialize();
        a.connect(b.address());
        b.connect(a.address());
    }

    private static void toReadyToReceive(TestEndpoint a, TestEndpoint b) throws VerbsException {
        int mtu = a.device.queryPort(TestEndpoint.PORT).activeMtu();
        a.queuePair.readyToReceive(TestEndpoint.PORT, a.ipv4Gid().index(), b.address(), mtu);
    }

    private String postReceive(TestEndpoint b, int id) {
        return call(() -> b.receive(id, 0, 64));
    }

    private String read(TestEndpoint a, long from, int bytes, int key) {
        a.sends.addRead(1, a.at(0), bytes, a.region.localKey(), from, key);
        return call(() -> a.queuePair.post(a.sends)) + "; " + completions(a, 1);
    }

    private String call(Call call) {
        try {
            call.run();
            return "ok";
        } catch (VerbsException e) {
            return Errno.of(platform, e.errno()).map(Enum::name).orElse("errno " + e.errno());
        }
    }

    /** The next completions, up to so many, or how it stays quiet. */
    private static String completions(TestEndpoint end, int most) {
        StringJoiner seen = new StringJoiner(", ");
        long deadline = System.nanoTime() + QUIET.toNanos();
        int count = 0;
        try {
            while (count < most && System.nanoTime() - deadline < 0) {
                int taken = end.completionQueue.poll(end.completions);
                for (int i = 0; i < taken; i++) {
                    seen.add(CompletionStatus.of(end.completions.status(i)).name());
                }
                count += taken;
                LockSupport.parkNanos(TestEndpoint.PAUSE_NANOS);
            }
        } catch (VerbsException e) {
            return "poll refused";
        }
        return count == 0 ? "nothing" : seen.toString();
    }

    /**
     * Runs one step between two new ends. Afterwards it closes both as far as they go, because a step may leave things
     * open, or close them.
     */
    private void step(String name, Step step) throws VerbsException {
        TestEndpoint a = new TestEndpoint(left, "rdma_en5", type, MEMORY);
        TestEndpoint b = new TestEndpoint(right, "rdma_en6", type, MEMORY);
        String outcome;
        try {
            outcome = step.run(a, b);
        } catch (VerbsException e) {
            outcome = "step ended by " + e.call() + ": "
                    + Errno.of(platform, e.errno()).map(Enum::name).orElse("errno " + e.errno());
        }
        outcomes.put(name, outcome);
        a.closeAsFarAsItGoes();
        b.closeAsFarAsItGoes();
    }
}
