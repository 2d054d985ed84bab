package io.boltshuffle.agent;

import io.boltshuffle.agent.peer.AgentIdentity;
import io.boltshuffle.agent.peer.Handshake;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.WireException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A program that speaks the agents' control protocol by hand, to say what no agent would. It opens the connection. */
final class HandMadePeer implements AutoCloseable {

    private final SocketChannel channel;
    private final DataInputStream in;
    private final Handshake handshake;

    private HandMadePeer(SocketChannel channel, Handshake handshake) {
        this.channel = channel;
        this.in = new DataInputStream(Channels.newInputStream(channel));
        this.handshake = handshake;
    }

    /** Connects to the agent of a host, and says nothing. */
    static HandMadePeer connect(String name, String host, int port) throws IOException {
        return over(SocketChannel.open(new InetSocketAddress(host, port)), name, Handshake.End.DIALER);
    }

    /** The same from one of this machine's addresses. */
    static HandMadePeer connect(String name, String from, String host, int port) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        channel.connect(new InetSocketAddress(host, port));
        return over(channel, name, Handshake.End.DIALER);
    }

    static HandMadePeer over(SocketChannel channel, String name, Handshake.End end) {
        Random random = new Random();
        return new HandMadePeer(
                channel, new Handshake(new AgentIdentity(name, random.nextLong()), Secret.NONE, end, random));
    }

    /** Connects and greets under a name, which the agent answers with its own. */
    static HandMadePeer greet(String name, String host, int port) throws Exception {
        HandMadePeer peer = connect(name, host, port);
        peer.greet();
        return peer;
    }

    /** Says hello, and hears the agent's. */
    void greet() throws Exception {
        send(handshake.hello());
        handshake.onHello((ControlMessage.Hello) hear());
    }

    Handshake handshake() {
        return handshake;
    }

    void send(ControlMessage message) throws IOException {
        ByteBuffer frame = ControlMessage.CODEC.encode(message);
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }

    /**
     * The next message that is no sign of life.
     *
     * @throws EOFException if the agent closed the connection
     */
    ControlMessage hear() throws IOException, WireException {
        ControlMessage message;
        do {
            message = ControlMessage.CODEC.decode(ByteBuffer.wrap(in.readNBytes(in.readInt())));
        } while (message instanceof ControlMessage.Heartbeat);
        return message;
    }

    /** All that the agent says until it closes the connection. */
    List<ControlMessage> hearToTheEnd() throws WireException {
        List<ControlMessage> heard = new ArrayList<>();
        try {
            while (true) {
                heard.add(hear());
            }
        } catch (IOException e) {
            return heard;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
