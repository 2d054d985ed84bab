package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.wire.FrameAssembler;
import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Shows what is heard, and when a channel stops reading for a while. */
class FrameReaderTest extends FramedChannelFixture {
    @Test
    void tooLittleMemoryForAFrameEndsNeitherLoopNorSocket() throws Exception {
        onLoop(() -> {
            channel.close();
            return true;
        });
        peer.close();
        FrameAssembler poor = new FrameAssembler(bytes -> {
            if (bytes > FRAME_BYTES * 5) {
                throw new OutOfMemoryError("of the test");
            }
            return new byte[bytes];
        });
        CompletableFuture<WireException> garbage = new CompletableFuture<>();
        connect(poor, new Listener() {
            @Override
            public void onGarbage(WireException cause) {
                garbage.complete(cause);
            }
        });

        ByteBuffer large = ByteBuffer.allocate(FRAME_BYTES * 20);
        large.putInt(0, large.capacity() - Integer.BYTES);
        peer.write(large);

        assertThat(garbage.get(30, TimeUnit.SECONDS)).hasMessageContaining("OutOfMemoryError");
        onLoop(() -> {
            channel.send(frame());
            return true;
        });
        readFully(FRAME_BYTES);
        assertThat(closed).isNotDone();
    }

    @Test
    void anEndThatAsksAndDoesNotReadIsNotReadFromUntilItReads() throws Exception {
        int questions = 60_000; // 60 MB of answers, more than sockets hold and than may wait
        Answering answering = new Answering();
        connect(new FrameAssembler(), answering);
        CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> ask(questions));
        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(channel::isPaused));
        int answered = onLoop(() -> answering.answered);

        for (int i = 0; i < questions; i++) {
            assertThat(readFully(FRAME_BYTES).getInt(Integer.BYTES)).isEqualTo(i);
        }
        asked.get(30, TimeUnit.SECONDS);
        assertThat(answered).isLessThan(questions);
        assertThat(onLoop(() -> answering.mostQueuedBytes))
                .isBetween(FrameReader.MAX_ANSWER_BYTES, FrameReader.MAX_ANSWER_BYTES + 2 * FRAME_BYTES);
        assertThat(closed).isNotDone();
    }

    @Test
    void aChannelThatIsToCloseReadsOnThoughItsAnswersAreNotRead() throws Exception {
        connect(new FrameAssembler(), new Answering());
        CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> ask(60_000));
        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(channel::isPaused));

        onLoop(() -> {
            channel.closeAfterSending();
            return true;
        });

        assertThat(onLoop(channel::isPaused)).isFalse();
        peer.close();
        await().atMost(Duration.ofSeconds(30)).until(asked::isDone);
        assertThat(closed).isNotDone();
    }

    @Test
    void whatIsSentOfOnesOwnAccordDoesNotKeepOneFromReading() throws Exception {
        Answering answering = new Answering();
        connect(new FrameAssembler(), answering);
        onLoop(() -> {
            for (int i = 0; i < 20_000; i++) {
                channel.send(frame());
            }
            return true;
        });
        ask(10);

        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> answering.answered == 10));
        assertThat(onLoop(channel::isPaused)).isFalse();
    }

    @Test
    void whatIsAskedInTurnDoesNotKeepOneFromReading() throws Exception {
        int frames = 20_000; // 20 MB of questions, which the other end never reads
        Asking asking = new Asking();
        connect(new FrameAssembler(), asking);

        ask(frames);

        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> asking.heard == frames));
        assertThat(onLoop(channel::queuedBytes)).isGreaterThan(FrameReader.MAX_ANSWER_BYTES);
        assertThat(onLoop(channel::isPaused)).isFalse();
        assertThat(closed).isNotDone();
    }

    @Test
    void whatAChannelKeptWhileItPausedArrivesAlthoughOthersReadMeanwhile() throws Exception {
        int questions = 60_000; // 60 MB of answers, more than sockets hold and than may wait
        Answering answering = new Answering();
        connect(new FrameAssembler(), answering);
        FramedChannel pausing = channel;
        SocketChannel asking = peer;
        CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> ask(asking, questions));
        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(pausing::isPaused));

        Asking other = new Asking();
        connect(new FrameAssembler(), other);
        ask(5_000);
        await().atMost(Duration.ofSeconds(30)).until(() -> onLoop(() -> other.heard == 5_000));
        peer.close();
        peer = asking;
        channel = pausing;

        for (int i = 0; i < questions; i++) {
            assertThat(readFully(FRAME_BYTES).getInt(Integer.BYTES)).isEqualTo(i);
        }
        asked.get(30, TimeUnit.SECONDS);
    }

    /** Answers each frame with a long one. */
    private class Answering extends Listener {
        private int answered;
        private long mostQueuedBytes;

        @Override
        public void onFrame(ByteBuffer question) {
            channel.send(ByteBuffer.allocate(FRAME_BYTES).putInt(Integer.BYTES, question.getInt()));
            answered++;
            mostQueuedBytes = Math.max(mostQueuedBytes, channel.queuedBytes());
        }
    }

    /** Asks something itself at each frame. */
    private final class Asking extends Listener {
        private int heard;

        @Override
        public void onFrame(ByteBuffer frame) {
            channel.ask(frame());
            heard++;
        }
    }
}
