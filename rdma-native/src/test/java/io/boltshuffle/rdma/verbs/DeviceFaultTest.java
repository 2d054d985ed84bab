package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.VerbsException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shows what the binding makes of a device that misbehaves. */
@Timeout(60)
@Tag("slow")
class DeviceFaultTest {

    private static final int MEMORY = 64 << 10;
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final VirtualFabric fabric;
    private final JnaVerbsProvider provider;

    DeviceFaultTest(@TempDir Path directory) throws Exception {
        fabric = VirtualFabric.of(directory, "profile apple", "host a", "cable c a:en5 a:en6");
        provider = fabric.provider("a");
    }

    private TestEndpoint open(JnaVerbsProvider provider, String device) throws VerbsException {
        TestEndpoint endpoint = new TestEndpoint(provider, device, QueuePairType.UNRELIABLE_CONNECTED, MEMORY);
        endpoint.initialize();
        return endpoint;
    }

    /** The endpoint is not closed: after a call has hung, what is left of a device is leaked on purpose. */
    @Test
    void aDeregistrationThatHangsMakesTheDeviceStuckAndNothingElse() throws Exception {
        TestEndpoint endpoint = open(provider.withControlTimeout(SHORT), "rdma_en5");
        fabric.control("port", "a:en5", "stuck", "dereg_mr", "on");
        try {
            assertThatThrownBy(endpoint.region::close)
                    .isInstanceOf(DeviceStuckException.class)
                    .hasMessageContainingAll("ibv_dereg_mr", "rdma_en5", "1000 ms");
            assertThatThrownBy(endpoint.queuePair::close)
                    .isInstanceOf(DeviceStuckException.class)
                    .hasMessageContainingAll("ibv_destroy_qp", "earlier ibv_dereg_mr");
            try (TestEndpoint other = open(provider, "rdma_en6")) {
                assertThat(other.queuePair.grantedDepth().send()).isPositive();
            }
        } finally {
            fabric.control("port", "a:en5", "stuck", "dereg_mr", "off");
        }
    }

    @Test
    void aDeviceInWhichACallHangsIsOpenedAgainOnlyAfterThatCallHasReturned() throws Exception {
        JnaVerbsProvider impatient = provider.withControlTimeout(SHORT);
        Device stuck = impatient.open("rdma_en5");
        fabric.control("port", "a:en5", "stuck", "alloc_pd", "on");
        try {
            assertThatThrownBy(stuck::allocateProtectionDomain).isInstanceOf(DeviceStuckException.class);

            assertThatThrownBy(() -> impatient.open("rdma_en5"))
                    .isInstanceOf(DeviceStuckException.class)
                    .hasMessageContaining("not made");
            impatient.open("rdma_en6").close();
        } finally {
            fabric.control("port", "a:en5", "stuck", "alloc_pd", "off");
        }
        await().ignoreExceptions()
                .untilAsserted(() -> impatient.open("rdma_en5").close());
    }

    /** An agent looks for ports like this while one of them is in use. */
    @Test
    void aDeviceInWhichACallHangsIsNotOpenedAgainThoughItWasOpenedForALookInBetween() throws Exception {
        JnaVerbsProvider impatient = provider.withControlTimeout(SHORT);
        Device stuck = impatient.open("rdma_en5");
        impatient.open("rdma_en5").close();
        fabric.control("port", "a:en5", "stuck", "alloc_pd", "on");
        try {
            assertThatThrownBy(stuck::allocateProtectionDomain).isInstanceOf(DeviceStuckException.class);

            assertThatThrownBy(() -> impatient.open("rdma_en5"))
                    .isInstanceOf(DeviceStuckException.class)
                    .hasMessageContaining("not made");
        } finally {
            fabric.control("port", "a:en5", "stuck", "alloc_pd", "off");
        }
    }

    /** The destruction may succeed at any moment, and a post to what it leaves would be a use after free. */
    @Test
    void aQueuePairWhoseDestructionHangsTakesNoMorePosts() throws Exception {
        TestEndpoint left = open(provider.withControlTimeout(SHORT), "rdma_en5");
        try (TestEndpoint right = open(provider, "rdma_en6")) {
            left.connect(right.address());
        }
        left.receive(1, 0, 4096);
        fabric.control("port", "a:en5", "stuck", "destroy_qp", "on");
        try {
            assertThatThrownBy(left.queuePair::close).isInstanceOf(DeviceStuckException.class);

            assertThatThrownBy(() -> left.receive(2, 0, 4096))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(left.queuePair::close)
                    .as("what may still exist is not said to be gone")
                    .isInstanceOf(DeviceStuckException.class);
        } finally {
            fabric.control("port", "a:en5", "stuck", "destroy_qp", "off");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "16, EBUSY (16), receive queue, restart this Mac",
        "96, ENODATA (96), exhausted, plug the cable in again",
        "14, EFAULT (14), too much memory, restart this Mac"
    })
    void aFailedConnectionSaysWhatToDoAboutIt(int errno, String name, String meaning, String remedy) throws Exception {
        try (TestEndpoint left = open(provider, "rdma_en5");
                TestEndpoint right = open(provider, "rdma_en6")) {
            fabric.control("port", "a:en5", "rtr", Integer.toString(errno), "next", "1");

            assertThatThrownBy(() -> left.connect(right.address()))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("ibv_modify_qp(RTR)", name, meaning, "Remedy: " + remedy);
        }
    }

    @ParameterizedTest
    @CsvSource({"4, LOC_PROT_ERR", "12, RETRY_EXC_ERR", "21, GENERAL_ERR"})
    void theStatusOfACompletionIsReadAsItIs(int code, CompletionStatus status) throws Exception {
        try (TestEndpoint left = open(provider, "rdma_en5");
                TestEndpoint right = open(provider, "rdma_en6")) {
            left.connect(right.address());
            right.connect(left.address());
            fabric.control("cable", "c", "from", "a:en5", "error", Integer.toString(code), "send", "next", "1");
            right.receive(1, 0, 4096);
            left.send(2, 0, 4096);

            left.awaitCompletions();
            assertThat(CompletionStatus.of(left.completions.status(0))).isEqualTo(status);
        }
    }
}
