package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Shows when frames leave, and what happens where the other end does not read them. */
class FrameWriterTest extends FramedChannelFixture {
    @Test
    void framesLeaveTogetherAtTheEndOfTheTurn() throws Exception {
        int early = onLoop(() -> {
            channel.send(frame());
            channel.send(frame());
            return arrived();
        });

        assertThat(early).isZero();
        readFully(2 * FRAME_BYTES);
    }

    @Test
    void manyBytesDoNotWaitForTheEndOfTheTurn() throws Exception {
        int early = onLoop(() -> {
            for (int sent = 0; sent < 300 << 10; sent += FRAME_BYTES) {
                channel.send(frame());
            }
            return arrived();
        });

        assertThat(early).isPositive();
    }

    @Test
    void whatWasSentBeforeClosingArrives() throws Exception {
        onLoop(() -> {
            channel.send(frame());
            channel.close();
            return true;
        });

        readFully(FRAME_BYTES);
        assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void aChannelThatIsToCloseAfterSendingDoesBoth() throws Exception {
        onLoop(() -> {
            channel.send(frame());
            channel.closeAfterSending();
            channel.send(frame()); // too late
            return true;
        });

        readFully(FRAME_BYTES);
        assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void moreFramesThanTheSocketTakesAllArriveInOrder() throws Exception {
        int frames = 20_000; // 20 MB, more than both ends' socket buffers hold
        CompletableFuture<Void> queued = new CompletableFuture<>();
        loop.execute(() -> {
            for (int i = 0; i < frames; i++) {
                channel.send(ByteBuffer.allocate(FRAME_BYTES).putInt(0, i));
            }
            queued.complete(null);
        });
        queued.get(30, TimeUnit.SECONDS);

        for (int i = 0; i < frames; i++) {
            assertThat(readFully(FRAME_BYTES).getInt(0)).isEqualTo(i);
        }
    }

    @Test
    void aReaderThatNeverReadsIsGivenUp() throws Exception {
        loop.execute(() -> {
            for (long sent = 0; sent < 3 * FrameWriter.MAX_QUEUED_BYTES; sent += 1 << 20) {
                channel.send(ByteBuffer.allocate(1 << 20));
            }
        });

        assertThat(closed.get(30, TimeUnit.SECONDS)).contains("the other end does not read");
    }

    @Test
    void memoryIsCountedNotTheFewBytesOfItThatAreSent() throws Exception {
        loop.execute(() -> {
            while (channel.queuedBytes() < 16 << 20) {
                channel.send(ByteBuffer.allocate(1 << 20)); // until the socket is full, even if its buffers grow
            }
            channel.maxQueuedBytes(channel.queuedBytes() + (256 << 10));
            for (int i = 0; i < 3000; i++) {
                channel.send(ByteBuffer.allocate(10_000).limit(10));
            }
        });

        assertThat(closed.get(30, TimeUnit.SECONDS)).contains("the other end does not read");
    }

    @Test
    void anEndThatDoesNotReadTheLastWordsIsLeftAfterAWhile() throws Exception {
        onLoop(() -> {
            for (int i = 0; i < 20_000; i++) {
                channel.send(frame());
            }
            channel.closeAfterSending();
            return true;
        });

        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> channel.queuedBytes() == 0));
        assertThat(closed).isNotDone();
    }

    @Test
    void anotherThreadMayNotSend() {
        assertThatThrownBy(() -> channel.send(frame()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("framed-channel-test");
    }

    /** Returns how many bytes are there for the peer now. */
    private int arrived() throws IOException {
        peer.configureBlocking(false);
        int count = peer.read(ByteBuffer.allocate(10 * FRAME_BYTES));
        peer.configureBlocking(true);
        return count;
    }
}
