package io.boltshuffle.cli.verify.ladder;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Messages between the two climbers, beside the cable: ordered and reliable.
 *
 * <p><b>Threads:</b> one sends while another receives. {@link #close} makes a waiting {@link #receive} throw.
 *
 * <p><b>Ownership:</b> the ladder closes it.
 */
public interface SideChannel extends Closeable {

    /** No message is larger, in bytes. */
    int MAX_MESSAGE_BYTES = 2 << 20;

    void send(ByteBuffer message) throws IOException;

    /** Waits for the next message, without limit: the ladder closes the channel when it has waited long enough. */
    ByteBuffer receive() throws IOException;
}
