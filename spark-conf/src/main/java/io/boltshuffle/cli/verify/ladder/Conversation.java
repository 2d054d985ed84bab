package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.rdma.link.Link;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sorts what comes over the side channel: the climbers' own words, one after the other, and a link's messages.
 *
 * <p><b>Threads:</b> one of its own reads the channel; {@link #say} and {@link #hear} are the climber's.
 */
final class Conversation implements AutoCloseable {

    private static final byte WORD = 1;
    private static final byte LINK = 2;

    /** Stands for the end: no word is empty. */
    private static final ByteBuffer SILENCE = ByteBuffer.allocate(0);

    private static final int MAX_WORDS = 64;

    private final SideChannel channel;
    private final Duration patience;
    private final BlockingQueue<ByteBuffer> words = new ArrayBlockingQueue<>(MAX_WORDS);
    private final ArrayDeque<ByteBuffer> beforeLink = new ArrayDeque<>();
    private final Thread reader;
    private @Nullable Link link;
    private boolean broken;

    Conversation(SideChannel channel, Duration patience) {
        this.channel = channel;
        this.patience = patience;
        this.reader = new Thread(this::read, "bolt-verify-side-channel");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try {
            while (true) {
                ByteBuffer message = channel.receive();
                if (message.get() == WORD) {
                    words.put(message);
                } else {
                    toLink(message);
                }
            }
        } catch (IOException | RuntimeException e) {
            breakOff(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            breakOff("interrupted");
        }
    }

    private void breakOff(String why) {
        Link told;
        synchronized (this) {
            broken = true;
            told = link;
        }
        if (told != null) {
            told.onChannelLost("the side channel ended: " + why);
        }
        words.offer(SILENCE);
    }

    private synchronized void toLink(ByteBuffer message) {
        if (link == null) {
            beforeLink.add(message);
        } else {
            link.onMessage(message);
        }
    }

    /** Connects the link, which gets its messages from here on, those that came before included. */
    synchronized void connect(Link to) {
        link = to;
        beforeLink.forEach(to::onMessage);
        beforeLink.clear();
        if (broken) {
            to.onChannelLost("the side channel ended");
        }
    }

    /** Sends a message of the link over the channel. */
    void sendForLink(ByteBuffer message) {
        try {
            channel.send(tagged(LINK, message));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void say(ByteBuffer word) throws FallException {
        try {
            channel.send(tagged(WORD, word));
        } catch (IOException e) {
            throw silent(e.getMessage());
        }
    }

    /** The next word, which should come soon. */
    ByteBuffer hear() throws FallException {
        return hear(patience);
    }

    ByteBuffer hear(Duration longest) throws FallException {
        try {
            ByteBuffer word = words.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
            if (word == null) {
                throw silent("nothing within " + longest.toSeconds() + " s");
            }
            if (!word.hasRemaining()) {
                throw silent("the connection ended");
            }
            return word;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw silent("interrupted");
        }
    }

    private static FallException silent(@Nullable String why) {
        return new FallException(
                "the peer does not answer on the side channel: " + why,
                "look at what the command says on the other host");
    }

    private static ByteBuffer tagged(byte tag, ByteBuffer message) {
        return ByteBuffer.allocate(1 + message.remaining())
                .put(tag)
                .put(message)
                .flip();
    }

    @Override
    public void close() {
        try {
            channel.close();
            reader.join(patience.toMillis());
        } catch (IOException e) {
            reader.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
