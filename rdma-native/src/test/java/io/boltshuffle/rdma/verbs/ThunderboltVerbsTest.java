package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.DeviceLimits;
import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GidEntry;
import io.boltshuffle.rdma.GrantedDepth;
import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.QueuePair;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.QueuePairRequest;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.VerbsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The binding against Apple's rules: UC only, frames, granted depths, Darwin's error numbers. */
@Timeout(60)
class ThunderboltVerbsTest {

    private static final int FRAME = 4096;
    private static final int MEMORY = 1 << 20;

    private final JnaVerbsProvider provider;
    private final TestEndpoint left;
    private final TestEndpoint right;

    ThunderboltVerbsTest(@TempDir Path directory) throws Exception {
        provider = VirtualFabric.of(directory, "profile apple", "host a", "cable c a:en5 a:en6", "port a:en7")
                .provider("a");
        left = new TestEndpoint(provider, "rdma_en5", QueuePairType.UNRELIABLE_CONNECTED, MEMORY);
        right = new TestEndpoint(provider, "rdma_en6", QueuePairType.UNRELIABLE_CONNECTED, MEMORY);
    }

    @BeforeEach
    void initialize() throws VerbsException {
        left.initialize();
        right.initialize();
    }

    @AfterEach
    void close() throws VerbsException {
        left.close();
        right.close();
    }

    private void connect() throws VerbsException {
        left.connect(right.address());
        right.connect(left.address());
    }

    @Test
    void devicesPortsAndLimitsReadAsTheDeviceSaysThem() throws Exception {
        assertThat(provider.deviceNames()).containsExactly("rdma_en5", "rdma_en6", "rdma_en7");
        assertThat(left.device.queryPort(TestEndpoint.PORT))
                .isEqualTo(new PortAttributes(
                        PortState.ACTIVE,
                        TestEndpoint.MTU_4096,
                        3,
                        0x1000000,
                        left.device.queryPort(TestEndpoint.PORT).lid(),
                        LinkLayer.THUNDERBOLT,
                        80));
        assertThat(left.device.limits()).isEqualTo(new DeviceLimits(0xfa0000, 10, 4095, 1, 11, 4096, 100, 11, 1));
        assertThat(left.device.gids(TestEndpoint.PORT))
                .extracting(GidEntry::index)
                .containsExactly(0, 1, 2);
        assertThat(left.ipv4Gid()).isNotEqualTo(right.ipv4Gid());
    }

    @Test
    void grantedDepthIsTheDevicesAnswerAndNotTheRequest() throws Exception {
        assertThat(left.queuePair.grantedDepth()).isEqualTo(new GrantedDepth(1023, 1023));
    }

    @Test
    void statesAreWalkedInOrder() throws Exception {
        assertThatThrownBy(() -> left.queuePair.readyToSend(0)).isInstanceOf(VerbsException.class);
        left.queuePair.readyToReceive(
                TestEndpoint.PORT, left.ipv4Gid().index(), right.address(), TestEndpoint.MTU_4096);
        left.queuePair.readyToSend(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, FRAME - 1, FRAME, FRAME + 1, 3 * FRAME, 256 * 1024})
    void aSendArrivesWholeInThePostedReceive(int length) throws Exception {
        connect();
        for (int i = 0; i < length; i++) {
            left.bytes.put(i, (byte) (i * 31 + 7));
        }

        right.receive(77, 0, length);
        left.send(-5, 0, length);

        assertThat(left.awaitCompletions()).isEqualTo(1);
        assertThat(left.completions.workRequestId(0)).isEqualTo(-5);
        assertThat(left.completions.status(0)).isZero();
        assertThat(left.completions.isReceive(0)).isFalse();
        assertThat(right.awaitCompletions()).isEqualTo(1);
        assertThat(right.completions.workRequestId(0)).isEqualTo(77);
        assertThat(right.completions.status(0)).isZero();
        assertThat(right.completions.isReceive(0)).isTrue();
        assertThat(right.completions.byteLength(0)).isEqualTo(length);
        assertThat(right.bytes.slice(0, length)).isEqualTo(left.bytes.slice(0, length));
    }

    @Test
    void chainsOfMessagesCompleteInTheOrderTheyWerePosted() throws Exception {
        connect();
        for (int i = 0; i < 10; i++) {
            right.receives.addReceive(i, right.at(i * FRAME), FRAME, right.region.localKey());
            left.sends.addSend(100 + i, left.at(i * FRAME), FRAME, left.region.localKey());
            left.bytes.put(i * FRAME, (byte) (i + 1));
        }
        right.queuePair.post(right.receives);
        left.queuePair.post(left.sends);

        List<Long> arrived = new ArrayList<>();
        while (arrived.size() < 10) {
            for (int i = 0, n = right.awaitCompletions(); i < n; i++) {
                arrived.add(right.completions.workRequestId(i));
            }
        }
        assertThat(arrived).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        for (int i = 0; i < 10; i++) {
            assertThat(right.bytes.get(i * FRAME)).isEqualTo((byte) (i + 1));
        }
    }

    @Test
    void aReceiveOfAnotherFrameCountFailsByLength() throws Exception {
        connect();
        right.receive(1, 0, 2 * FRAME);
        left.send(2, 0, FRAME);

        right.awaitCompletions();
        assertThat(CompletionStatus.of(right.completions.status(0))).isEqualTo(CompletionStatus.LOC_LEN_ERR);
    }

    @Test
    void aBadLocalKeyFailsInTheCompletion() throws Exception {
        connect();
        right.receive(1, 0, FRAME);
        left.sends.addSend(2, left.at(0), FRAME, left.region.localKey() + 1);
        left.queuePair.post(left.sends);

        left.awaitCompletions();
        assertThat(CompletionStatus.of(left.completions.status(0))).isEqualTo(CompletionStatus.LOC_PROT_ERR);
    }

    @Test
    void postingInTheWrongStateNamesCallDeviceAndCode() {
        assertThatThrownBy(() -> left.send(1, 0, FRAME))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(22))
                .hasMessageContainingAll("ibv_post_send", "rdma_en5", "EINVAL (22)");
    }

    @Test
    void overpostingIsRefusedWithTheRingFull() throws Exception {
        connect();
        int granted = right.queuePair.grantedDepth().receive();
        for (int i = 0; i < granted; i++) {
            right.receive(i, 0, FRAME);
        }

        assertThatThrownBy(() -> right.receive(granted, 0, FRAME))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("ibv_post_recv", "ENOMEM (12)", "ring is full");
    }

    @Test
    void failingAQueuePairFlushesWhatIsPosted() throws Exception {
        connect();
        right.receive(9, 0, FRAME);
        right.fail();

        right.awaitCompletions();
        assertThat(right.completions.workRequestId(0)).isEqualTo(9);
        assertThat(CompletionStatus.of(right.completions.status(0))).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
    }

    @Test
    void queuePairsBeyondTheBudgetAreExplained() throws Exception {
        List<QueuePair> taken = new ArrayList<>();
        try {
            for (int i = 1; i < 10; i++) {
                taken.add(left.domain.createQueuePair(request(QueuePairType.UNRELIABLE_CONNECTED)));
            }
            assertThatThrownBy(() -> left.domain.createQueuePair(request(QueuePairType.UNRELIABLE_CONNECTED)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("ibv_create_qp", "EBUSY (16)", "used up");
        } finally {
            for (QueuePair queuePair : taken) {
                queuePair.close();
            }
        }
    }

    @Test
    void aReliableQueuePairIsRefusedInDarwinsNumbers() {
        assertThatThrownBy(() -> left.domain.createQueuePair(request(QueuePairType.RELIABLE_CONNECTED)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EOPNOTSUPP (102)");
    }

    private QueuePairRequest request(QueuePairType type) {
        return new QueuePairRequest(type, left.completionQueue, left.completionQueue, 1, 1);
    }

    @Test
    void aPeerThatIsNotOnThisCableIsExplained() throws Exception {
        Gid elsewhere = Gid.of(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 1, 2, 3});
        QueuePairAddress stranger = new QueuePairAddress(1, 17, 0, elsewhere);

        assertThatThrownBy(() -> left.queuePair.readyToReceive(
                        TestEndpoint.PORT, left.ipv4Gid().index(), stranger, TestEndpoint.MTU_4096))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("ibv_modify_qp(RTR)", "ETIMEDOUT (60)", "not reachable on this cable");
    }

    @Test
    void aPortWithoutACableGivesNoProtectionDomainAndSaysSo() throws Exception {
        try (var unplugged = provider.open("rdma_en7")) {
            assertThat(unplugged.queryPort(TestEndpoint.PORT).state()).isEqualTo(PortState.DOWN);
            assertThatThrownBy(unplugged::allocateProtectionDomain)
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("ibv_alloc_pd", "rdma_en7", "port is down");
        }
    }

    @Test
    void misuseIsRefusedInJavaAndNotInNativeCode() throws Exception {
        assertThatThrownBy(() -> left.queuePair.post(right.sends)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> left.completionQueue.poll(right.completions))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> left.domain.close())
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ibv_dealloc_pd");
        left.queuePair.close();
        assertThatThrownBy(() -> left.send(1, 0, FRAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(left.queuePair::grantedDepth).isInstanceOf(IllegalStateException.class);
    }
}
