package io.boltshuffle.cli.verify.ladder;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A side channel over a connected socket: each message behind its length. */
public final class SocketSideChannel implements SideChannel {

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** @param socket connected; closed with this */
    public SocketSideChannel(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    @Override
    public synchronized void send(ByteBuffer message) throws IOException {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        out.writeInt(bytes.length);
        out.write(bytes);
        out.flush();
    }

    @Override
    public ByteBuffer receive() throws IOException {
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
