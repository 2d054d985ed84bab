package io.boltshuffle.wire;

import java.nio.ByteBuffer;

/** Encodes and decodes what executors send to their agent. */
public final class ExecutorMessageCodec {

    private ExecutorMessageCodec() {}

    /** Returns the message as a frame, length first. */
    public static ByteBuffer encode(ExecutorMessage message) {
        WireWriter out = new WireWriter();
        message.writeTo(out);
        return out.frame();
    }

    /**
     * Decodes a message.
     *
     * @param frame one whole message without its length, as {@link FrameAssembler} returns it
     */
    public static ExecutorMessage decode(ByteBuffer frame) throws WireException {
        WireReader in = new WireReader(frame);
        ExecutorMessage message = read(in);
        in.end(message.getClass().getSimpleName());
        return message;
    }

    private static ExecutorMessage read(WireReader in) throws WireException {
        int type = in.u8("type");
        return switch (type) {
            case ExecutorMessage.Type.HELLO -> ExecutorMessage.Hello.read(in);
            case ExecutorMessage.Type.REGISTER -> ExecutorMessage.Register.read(in);
            case ExecutorMessage.Type.FETCH -> ExecutorMessage.Fetch.read(in);
            case ExecutorMessage.Type.RELEASE -> ExecutorMessage.Release.read(in);
            case ExecutorMessage.Type.STATUS_REQUEST -> new ExecutorMessage.StatusRequest();
            case ExecutorMessage.Type.PING -> ExecutorMessage.Ping.read(in);
            case ExecutorMessage.Type.BYE -> new ExecutorMessage.Bye();
            case ExecutorMessage.Type.EXPECT -> ExecutorMessage.Expect.read(in);
            default -> throw new WireException("unknown message type " + type + " from an executor");
        };
    }
}
