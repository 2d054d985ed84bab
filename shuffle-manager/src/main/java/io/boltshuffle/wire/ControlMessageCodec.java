package io.boltshuffle.wire;

import java.nio.ByteBuffer;

/** Bytes of what two agents say to each other. */
public final class ControlMessageCodec {

    private ControlMessageCodec() {}

    /** The message as a frame, length first. */
    public static ByteBuffer encode(ControlMessage message) {
        WireWriter out = new WireWriter();
        message.writeTo(out);
        return out.frame();
    }

    /** @param frame what {@link FrameAssembler} gave: one whole message, without its length */
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
