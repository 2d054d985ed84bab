package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.QueuePairAddress;
import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.VerbsException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The binding against the rules of other adapters: RC with RDMA READ, Linux error numbers. */
@Timeout(60)
class ReliableVerbsTest {

    private static final int MEMORY = 1 << 20;

    private final TestEndpoint reader;
    private final TestEndpoint target;

    ReliableVerbsTest(@TempDir Path directory) throws Exception {
        JnaVerbsProvider provider = VirtualFabric.of(directory, "profile linux", "host a", "cable c a:en5 a:en6")
                .provider("a");
        reader = new TestEndpoint(provider, "rdma_en5", QueuePairType.RELIABLE_CONNECTED, MEMORY);
        target = new TestEndpoint(provider, "rdma_en6", QueuePairType.RELIABLE_CONNECTED, MEMORY);
    }

    @BeforeEach
    void initialize() throws VerbsException {
        reader.initialize();
        target.initialize();
    }

    @AfterEach
    void close() throws VerbsException {
        reader.close();
        target.close();
    }

    private void connect() throws VerbsException {
        reader.connect(target.address());
        target.connect(reader.address());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4095, 4097, MEMORY})
    void aReadBringsTheRemoteBytes(int length) throws Exception {
        connect();
        for (int i = 0; i < length; i++) {
            target.bytes.put(i, (byte) (i * 13 + 1));
        }

        reader.sends.addRead(
                3, reader.at(0), length, reader.region.localKey(), target.at(0), target.region.remoteKey());
        reader.queuePair.post(reader.sends);

        reader.awaitCompletions();
        assertThat(reader.completions.status(0)).isZero();
        assertThat(reader.completions.workRequestId(0)).isEqualTo(3);
        assertThat(reader.completions.isReceive(0)).isFalse();
        assertThat(reader.bytes.slice(0, length)).isEqualTo(target.bytes.slice(0, length));
    }

    @Test
    void aBadRemoteKeyFailsInTheCompletion() throws Exception {
        connect();
        reader.sends.addRead(
                3, reader.at(0), 4096, reader.region.localKey(), target.at(0), target.region.remoteKey() + 1);
        reader.queuePair.post(reader.sends);

        reader.awaitCompletions();
        assertThat(CompletionStatus.of(reader.completions.status(0))).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void aReadBeyondTheRegionFailsInTheCompletion() throws Exception {
        connect();
        reader.sends.addRead(
                3, reader.at(0), 4096, reader.region.localKey(), target.at(MEMORY - 1), target.region.remoteKey());
        reader.queuePair.post(reader.sends);

        reader.awaitCompletions();
        assertThat(CompletionStatus.of(reader.completions.status(0))).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void errorsAreNamedInLinuxNumbers() throws Exception {
        Gid elsewhere = Gid.of(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 1, 2, 3});

        assertThat(reader.device.queryPort(TestEndpoint.PORT).linkLayer()).isEqualTo(LinkLayer.ETHERNET);
        assertThatThrownBy(() -> reader.queuePair.readyToReceive(
                        TestEndpoint.PORT,
                        reader.ipv4Gid().index(),
                        new QueuePairAddress(0, 17, 0, elsewhere),
                        TestEndpoint.MTU_4096))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("ETIMEDOUT (110)", "does not resolve");
    }
}
