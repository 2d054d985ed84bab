package io.boltshuffle.wire;

import java.nio.ByteBuffer;

/** Encodes and decodes what two agents send to each other. */
public final class ControlMessageCodec {

    private ControlMessageCodec() {}

    /** Returns the message as a frame, length first. */
    public static ByteBuffer encode(ControlMessage message) {
        WireWriter out = new WireWriter();
        message.writeTo(out);
        return out.frame();
    }

    /**
     * Decodes a message.
     *
     * @param frame one whole message without its length, as {@link FrameAssembler} returns it
     */
    public static ControlMessage decode(ByteBuffer frame) throws WireException {
        WireReader in = new WireReader(frame);
        ControlMessage message = read(in);
        in.end(message.getClass().getSimpleName());
        return message;
    }

    private static ControlMessage read(WireReader in) throws WireException {
        int type = in.u8("type");
        return switch (type) {
            case ControlMessage.Type.HELLO -> ControlMessage.Hello.read(in);
            case ControlMessage.Type.PROOF -> ControlMessage.Proof.read(in);
            case ControlMessage.Type.REFUSED -> ControlMessage.Refused.read(in);
            case ControlMessage.Type.HEARTBEAT -> new ControlMessage.Heartbeat();
            case ControlMessage.Type.APPLICATION_PROOFS -> ControlMessage.ApplicationProofs.read(in);
            case ControlMessage.Type.APPLICATION_ANSWERS -> ControlMessage.ApplicationAnswers.read(in);
            case ControlMessage.Type.PULL -> ControlMessage.Pull.read(in);
            case ControlMessage.Type.READY -> ControlMessage.Ready.read(in);
            case ControlMessage.Type.NOT_READY -> ControlMessage.NotReady.read(in);
            case ControlMessage.Type.FREE -> ControlMessage.Free.read(in);
            case ControlMessage.Type.LINK_PAYLOAD -> ControlMessage.LinkPayload.read(in);
            case ControlMessage.Type.PORTS -> ControlMessage.Ports.read(in);
            case ControlMessage.Type.GOODBYE -> ControlMessage.Goodbye.read(in);
            case ControlMessage.Type.LINK_START -> ControlMessage.LinkStart.read(in);
            case ControlMessage.Type.LINK_END -> ControlMessage.LinkEnd.read(in);
            case ControlMessage.Type.SUPERSEDED -> new ControlMessage.Superseded();
            default -> throw new WireException("unknown message type " + type + " from a peer");
        };
    }
}
