package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.boltshuffle.rdma.AccessFlag;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Errno.Platform;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A control call that hangs writes, when it returns after all, into memory that is still its own. */
@Timeout(60)
@Tag("slow")
class HungCallMemoryTest {

    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration AMPLE = Duration.ofSeconds(30);
    private static final QueuePairAddress PEER = new QueuePairAddress(1, 2, 3, Gid.of(new byte[Gid.BYTES]));

    /** Something that makes one control call. */
    @FunctionalInterface
    interface Action {
        void run(Objects on) throws VerbsException;
    }

    /** One of each object that a device makes. */
    record Objects(JnaDevice device, ProtectionDomain domain, CompletionQueue queue, JnaQueuePair pair) {}

    static Stream<Arguments> callsWithMemory() {
        return Stream.of(
                call("ibv_query_device", on -> on.device().limits()),
                call("ibv_query_port", on -> on.device().queryPort(1)),
                call("ibv_query_gid", on -> on.device().gids(1)),
                call("ibv_query_qp", on -> on.pair().grantedDepth()),
                call("ibv_modify_qp", on -> on.pair().initialize(1, Set.of(AccessFlag.LOCAL_WRITE))),
                call("ibv_modify_qp", on -> on.pair().readyToReceive(1, 0, PEER, 5)),
                call("ibv_modify_qp", on -> on.pair().readyToSend(7)),
                call("ibv_modify_qp", on -> on.pair().fail()),
                call("ibv_create_qp", on -> newPair(on.domain(), on.queue()).close()));
    }

    private static Arguments call(String function, Action action) {
        return Arguments.of(function, action);
    }

    private static JnaQueuePair newPair(ProtectionDomain domain, CompletionQueue queue) throws VerbsException {
        return (JnaQueuePair)
                domain.createQueuePair(new QueuePairRequest(QueuePairType.UNRELIABLE_CONNECTED, queue, queue, 16, 16));
    }

    @ParameterizedTest(name = "{0}, {index}")
    @MethodSource("callsWithMemory")
    void aCallThatReturnsLateWritesIntoMemoryThatIsStillItsOwn(String function, Action action) throws Exception {
        HangingLibrary library = new HangingLibrary();
        Objects on = open(library);
        library.hangIn(function);
        try {
            assertThatThrownBy(() -> action.run(on)).isInstanceOf(DeviceStuckException.class);
        } finally {
            library.letGo();
        }

        library.awaitReturn(AMPLE);
        assertThat(library.buffers()).isNotEmpty();
        assertThat(library.freedWhileInCall()).isEmpty();
    }

    @ParameterizedTest(name = "{0}, {index}")
    @MethodSource("callsWithMemory")
    void memoryOfACallGoesWithItsReturn(String function, Action action) throws Exception {
        HangingLibrary library = new HangingLibrary();
        Objects on = open(library);
        library.watch(function);

        action.run(on);

        assertThat(library.buffers()).isNotEmpty().noneMatch(Memory::valid);
    }

    /** Freeing it twice would end the process. */
    @Test
    void whatWasReleasedLateIsNotReleasedAgain() throws Exception {
        HangingLibrary library = new HangingLibrary();
        Objects on = open(library);
        library.hangIn("ibv_destroy_qp");
        try {
            assertThatThrownBy(on.pair()::close).isInstanceOf(DeviceStuckException.class);
        } finally {
            library.letGo();
        }

        await().ignoreExceptions().untilAsserted(on.pair()::close);
        assertThat(library.calls("ibv_destroy_qp")).isEqualTo(1);
        on.queue().close();
        on.domain().close();
        on.device().close();
    }

    private static Objects open(HangingLibrary library) throws VerbsException {
        Pointer context = library.object();
        LoadedLibrary loaded = new LoadedLibrary("fake", library.functions(), Platform.LINUX);
        JnaDevice device = new JnaDevice(loaded, new ControlThread("rdma_en5", SHORT), "rdma_en5", context);
        ProtectionDomain domain = device.allocateProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(33);
        return new Objects(device, domain, queue, newPair(domain, queue));
    }
}
