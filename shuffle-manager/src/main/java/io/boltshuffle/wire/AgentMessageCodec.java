package io.boltshuffle.wire;

import java.nio.ByteBuffer;

/** Encodes and decodes what an agent sends to its executors. */
public final class AgentMessageCodec {

    private AgentMessageCodec() {}

    /** Returns the message as a frame, length first. */
    public static ByteBuffer encode(AgentMessage message) {
        WireWriter out = new WireWriter();
        message.writeTo(out);
        return out.frame();
    }

    /**
     * Decodes a message.
     *
     * @param frame one whole message without its length, as {@link FrameAssembler} returns it
     */
    public static AgentMessage decode(ByteBuffer frame) throws WireException {
        WireReader in = new WireReader(frame);
        AgentMessage message = read(in);
        in.end(message.getClass().getSimpleName());
        return message;
    }

    private static AgentMessage read(WireReader in) throws WireException {
        int type = in.u8("type");
        return switch (type) {
            case AgentMessage.Type.WELCOME -> AgentMessage.Welcome.read(in);
            case AgentMessage.Type.REGISTERED -> new AgentMessage.Registered();
            case AgentMessage.Type.REFUSED -> AgentMessage.Refused.read(in);
            case AgentMessage.Type.BLOCKS -> AgentMessage.Blocks.read(in);
            case AgentMessage.Type.BLOCK_FAILURES -> AgentMessage.BlockFailures.read(in);
            case AgentMessage.Type.DONE -> AgentMessage.Done.read(in);
            case AgentMessage.Type.FAILED -> AgentMessage.Failed.read(in);
            case AgentMessage.Type.ROUTE_UP -> AgentMessage.RouteUp.read(in);
            case AgentMessage.Type.ROUTE_DOWN -> AgentMessage.RouteDown.read(in);
            case AgentMessage.Type.STATUS -> AgentMessage.Status.read(in);
            case AgentMessage.Type.PONG -> AgentMessage.Pong.read(in);
            case AgentMessage.Type.GOODBYE -> AgentMessage.Goodbye.read(in);
            default -> throw new WireException("unknown message type " + type + " from the agent");
        };
    }
}
