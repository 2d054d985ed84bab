package io.boltshuffle.wire;

import io.boltshuffle.wire.MessageCodec.Row;
import java.util.List;

/** A message between two agents. Both ends may send all of these. */
public sealed interface ControlMessage {

    /**
     * First message of each end.
     *
     * @param agent the host this agent answers for, as Spark names it
     * @param instance random per process, so that a restarted agent is told from the one before
     * @param nonce fresh for this connection; proofs are made over both ends' nonces
     * @param secured whether this end demands {@link Proof} of the cluster secret
     */
    record Hello(int version, String agent, long instance, Opaque nonce, boolean secured) implements ControlMessage {
        static Hello read(WireReader in) throws WireException {
            return new Hello(
                    in.version(WireLimits.CONTROL_VERSION, WireLimits.CONTROL_REMEDY),
                    in.name("agent"),
                    in.i64("instance"),
                    Opaque.readFixed(in, "nonce", WireLimits.NONCE_BYTES),
                    in.flag("secured"));
        }

        private void writeTo(WireWriter out) {
            out.i32(version);
            out.text("agent", agent, WireLimits.MAX_NAME_BYTES);
            out.i64(instance);
            nonce.writeFixedTo(out, "nonce", WireLimits.NONCE_BYTES);
            out.flag(secured);
        }
    }

    /** Proof that this end knows the cluster secret. */
    record Proof(Opaque mac) implements ControlMessage {
        static Proof read(WireReader in) throws WireException {
            return new Proof(Opaque.readFixed(in, "mac", WireLimits.MAC_BYTES));
        }

        private void writeTo(WireWriter out) {
            mac.writeFixedTo(out, "mac", WireLimits.MAC_BYTES);
        }
    }

    /** This end refuses the connection and closes it. */
    record Refused(FailureReason reason, String detail) implements ControlMessage {
        static Refused read(WireReader in) throws WireException {
            return new Refused(FailureReason.read(in), in.detail());
        }

        private void writeTo(WireWriter out) {
            reason.writeTo(out);
            out.detail(detail);
        }
    }

    /** Sent while there is nothing else to say: a dead peer is silent. */
    record Heartbeat() implements ControlMessage {}

    /**
     * Proofs that this end knows the secrets of applications. None is named: an end that does not know the secret
     * learns nothing but a number. Answered by {@link ApplicationAnswers}. Before anything is proven, only the end that
     * opened the connection sends this, and once.
     */
    record ApplicationProofs(List<Opaque> macs) implements ControlMessage {
        static ApplicationProofs read(WireReader in) throws WireException {
            return new ApplicationProofs(readMacs(in, "proofs"));
        }

        private void writeTo(WireWriter out) {
            writeMacs(out, "proofs", macs);
        }
    }

    /**
     * Answers {@link ApplicationProofs}.
     *
     * @param macs this end's own proofs, of the applications that the other end has just proven
     * @param unknown those of the other end's proofs that fit no application here: it is not registered, or has another
     * secret
     */
    record ApplicationAnswers(List<Opaque> macs, List<Opaque> unknown) implements ControlMessage {
        static ApplicationAnswers read(WireReader in) throws WireException {
            return new ApplicationAnswers(readMacs(in, "answers"), readMacs(in, "unknown"));
        }

        private void writeTo(WireWriter out) {
            writeMacs(out, "answers", macs);
            writeMacs(out, "unknown", unknown);
        }
    }

    /** Both agents connected to each other at once; the other connection stays, this one is closed. */
    record Superseded() implements ControlMessage {}

    /** Asks for blocks of one executor. Answered by {@link Ready} or {@link NotReady}. */
    record Pull(long pullId, PullRequest request) implements ControlMessage {
        static Pull read(WireReader in) throws WireException {
            return new Pull(in.i64("pull"), PullRequest.read(in));
        }

        private void writeTo(WireWriter out) {
            out.i64(pullId);
            request.writeTo(out);
        }
    }

    /**
     * The slices lie in registered memory and can be moved. Where they arrive, they lie one after the other.
     * The puller has to pull again what is in neither slices nor failures, because it did not fit the window.
     *
     * @param detail about the first failure, for people; empty without one
     */
    record Ready(long pullId, List<BlockSlice> slices, List<BlockFailure> failures, String detail, List<Stripe> stripes)
            implements ControlMessage {
        static Ready read(WireReader in) throws WireException {
            return new Ready(
                    in.i64("pull"),
                    in.list("slices", WireLimits.MAX_BLOCKS, BlockSlice::read),
                    in.list("failures", WireLimits.MAX_BLOCKS, BlockFailure::read),
                    in.detail(),
                    in.list("stripes", WireLimits.MAX_STRIPES, Stripe::read));
        }

        private void writeTo(WireWriter out) {
            out.i64(pullId);
            out.list("slices", slices, WireLimits.MAX_BLOCKS, (to, slice) -> slice.writeTo(to));
            out.list("failures", failures, WireLimits.MAX_BLOCKS, (to, failure) -> failure.writeTo(to));
            out.detail(detail);
            out.list("stripes", stripes, WireLimits.MAX_STRIPES, (to, stripe) -> stripe.writeTo(to));
        }
    }

    /** The whole pull failed on the serving side; nothing is staged. */
    record NotReady(long pullId, FailureReason reason, String detail) implements ControlMessage {
        static NotReady read(WireReader in) throws WireException {
            return new NotReady(in.i64("pull"), FailureReason.read(in), in.detail());
        }

        private void writeTo(WireWriter out) {
            out.i64(pullId);
            reason.writeTo(out);
            out.detail(detail);
        }
    }

    /** The puller has finished a pull, or gave it up, so its staged memory may go. */
    record Free(long pullId) implements ControlMessage {
        static Free read(WireReader in) throws WireException {
            return new Free(in.i64("pull"));
        }

        private void writeTo(WireWriter out) {
            out.i64(pullId);
        }
    }

    /**
     * Starts a fresh link over one cable. The end that opened the control connection sends this.
     *
     * @param linkId never used before on this connection
     * @param near device and port of the sender
     * @param far device and port of the receiver
     */
    record LinkStart(int linkId, PortName near, PortName far) implements ControlMessage {
        static LinkStart read(WireReader in) throws WireException {
            return new LinkStart(in.i32("link"), PortName.read(in), PortName.read(in));
        }

        private void writeTo(WireWriter out) {
            out.i32(linkId);
            near.writeTo(out);
            far.writeTo(out);
        }
    }

    /** This end cannot build the link, or its end of the link is gone. */
    record LinkEnd(int linkId, String detail) implements ControlMessage {
        static LinkEnd read(WireReader in) throws WireException {
            return new LinkEnd(in.i32("link"), in.detail());
        }

        private void writeTo(WireWriter out) {
            out.i32(linkId);
            out.detail(detail);
        }
    }

    /** A message from one end of a link to the other. */
    record LinkPayload(int linkId, Opaque payload) implements ControlMessage {
        static LinkPayload read(WireReader in) throws WireException {
            return new LinkPayload(in.i32("link"), Opaque.read(in, "payload", WireLimits.MAX_LINK_BYTES));
        }

        private void writeTo(WireWriter out) {
            out.i32(linkId);
            payload.writeTo(out, "payload", WireLimits.MAX_LINK_BYTES);
        }
    }

    /** The ports of this end, from which both ends find out which of them are joined. */
    record Ports(List<PortFacts> ports) implements ControlMessage {
        static Ports read(WireReader in) throws WireException {
            return new Ports(in.list("ports", WireLimits.MAX_PORTS, PortFacts::read));
        }

        private void writeTo(WireWriter out) {
            out.list("ports", ports, WireLimits.MAX_PORTS, (to, port) -> port.writeTo(to));
        }
    }

    /** This end stops in good order and closes the connection. */
    record Goodbye(String detail) implements ControlMessage {
        static Goodbye read(WireReader in) throws WireException {
            return new Goodbye(in.detail());
        }

        private void writeTo(WireWriter out) {
            out.detail(detail);
        }
    }

    private static List<Opaque> readMacs(WireReader in, String field) throws WireException {
        return in.list(field, WireLimits.MAX_PROOFS, each -> Opaque.readFixed(each, "mac", WireLimits.MAC_BYTES));
    }

    private static void writeMacs(WireWriter out, String field, List<Opaque> macs) {
        out.list(field, macs, WireLimits.MAX_PROOFS, (to, mac) -> mac.writeFixedTo(to, "mac", WireLimits.MAC_BYTES));
    }

    /** Number, reader and writer of each message. Numbers are never reused: 5 and 15 were version 1's. */
    MessageCodec<ControlMessage> CODEC = new MessageCodec<>(
            "a peer",
            List.of(
                    new Row<>(1, Hello.class, Hello::read, Hello::writeTo),
                    new Row<>(2, Proof.class, Proof::read, Proof::writeTo),
                    new Row<>(3, Refused.class, Refused::read, Refused::writeTo),
                    Row.empty(4, new Heartbeat(), Heartbeat.class),
                    new Row<>(6, Pull.class, Pull::read, Pull::writeTo),
                    new Row<>(7, Ready.class, Ready::read, Ready::writeTo),
                    new Row<>(8, NotReady.class, NotReady::read, NotReady::writeTo),
                    new Row<>(9, Free.class, Free::read, Free::writeTo),
                    new Row<>(10, LinkPayload.class, LinkPayload::read, LinkPayload::writeTo),
                    new Row<>(11, Ports.class, Ports::read, Ports::writeTo),
                    new Row<>(12, Goodbye.class, Goodbye::read, Goodbye::writeTo),
                    new Row<>(13, LinkStart.class, LinkStart::read, LinkStart::writeTo),
                    new Row<>(14, LinkEnd.class, LinkEnd::read, LinkEnd::writeTo),
                    Row.empty(16, new Superseded(), Superseded.class),
                    new Row<>(17, ApplicationProofs.class, ApplicationProofs::read, ApplicationProofs::writeTo),
                    new Row<>(18, ApplicationAnswers.class, ApplicationAnswers::read, ApplicationAnswers::writeTo)));
}
