package io.boltshuffle.cli.verify.ladder;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The messages between climbers: facts that a rung needs, and verdicts on rungs. */
final class RungMessages {

    private static final byte FACTS = 1;
    private static final byte HELD = 2;
    private static final byte FELL = 3;

    private final Conversation conversation;

    RungMessages(Conversation conversation) {
        this.conversation = conversation;
    }

    /** The other host fell from the rung that both stand on. */
    static final class PeerFellException extends Exception {
        private static final long serialVersionUID = 1L;

        private PeerFellException(String what) {
            super(what);
        }
    }

    void say(ByteBuffer facts) throws FallException {
        conversation.say(
                ByteBuffer.allocate(1 + facts.remaining()).put(FACTS).put(facts).flip());
    }

    ByteBuffer hear() throws FallException, PeerFellException {
        return factsIn(conversation.hear());
    }

    /** Waits for the facts of a peer that has something to do first. */
    ByteBuffer hear(Duration longest) throws FallException, PeerFellException {
        return factsIn(conversation.hear(longest));
    }

    private static ByteBuffer factsIn(ByteBuffer word) throws PeerFellException {
        if (word.get() != FACTS) {
            throw peerFell(word);
        }
        return word.slice();
    }

    void sayHeld() throws FallException {
        conversation.say(ByteBuffer.allocate(1).put(HELD).flip());
    }

    void sayFell(FallException fall) throws FallException {
        byte[] text = (fall.what() + (fall.remedy().isEmpty() ? "" : ". Remedy: " + fall.remedy()))
                .getBytes(StandardCharsets.UTF_8);
        conversation.say(
                ByteBuffer.allocate(1 + text.length).put(FELL).put(text).flip());
    }

    void hearHeld() throws FallException, PeerFellException {
        ByteBuffer word = conversation.hear();
        if (word.get() != HELD) {
            throw peerFell(word);
        }
    }

    private static PeerFellException peerFell(ByteBuffer text) {
        return new PeerFellException(StandardCharsets.UTF_8.decode(text).toString());
    }
}
