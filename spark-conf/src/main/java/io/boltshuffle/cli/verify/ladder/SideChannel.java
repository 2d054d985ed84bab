package io.boltshuffle.cli.verify.ladder;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * Messages between the two climbers, beside the cable: ordered and reliable, each behind its length on a socket.
 *
 * <p><b>Threads:</b> one sends while another receives. {@link #close} makes a waiting {@link #receive} throw.
 *
 * <p><b>Ownership:</b> the ladder closes it.
 */
public final class SideChannel implements Closeable {

    /** No message is larger, in bytes. */
    private static final int MAX_MESSAGE_BYTES = 2 << 20;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** @param socket connected; closed with this */
    public SideChannel(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    synchronized void send(ByteBuffer message) throws IOException {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        out.writeInt(bytes.length);
        out.write(bytes);
        out.flush();
    }

    /** Waits for the next message, without limit: the ladder closes the channel when it has waited long enough. */
    ByteBuffer receive() throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_MESSAGE_BYTES) {
            throw new IOException("the peer announced a message of " + length + " bytes: it is not a ladder");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return ByteBuffer.wrap(bytes);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
