package io.boltshuffle.agent.session;

import io.boltshuffle.agent.fetch.PullClient;
import io.boltshuffle.agent.serve.PullServer;
import io.boltshuffle.loop.FrameListener;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.WireException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The part of a control connection that pulls need, and a witness of what is said on it: each word once for each pull.
 */
final class PullWire {

    private final Set<Long> pulled = new TreeSet<>();
    private final Set<Long> freed = new TreeSet<>();
    private final Set<Long> answered = new TreeSet<>();

    Consumer<ControlMessage> to(SimPipe pipe) {
        return message -> pipe.send(ControlMessage.CODEC.encode(message));
    }

    void ofReader(ByteBuffer frame) {
        ControlMessage message = decode(frame);
        if (message instanceof ControlMessage.Pull pull) {
            once(pulled, pull.pullId(), "asked");
        } else if (message instanceof ControlMessage.Free free) {
            once(freed, free.pullId(), "freed");
        }
    }

    void ofServer(ByteBuffer frame) {
        ControlMessage message = decode(frame);
        if (message instanceof ControlMessage.Ready ready) {
            once(answered, ready.pullId(), "answered");
        } else if (message instanceof ControlMessage.NotReady notReady) {
            once(answered, notReady.pullId(), "answered");
        }
    }

    /** @param intact whether all that was said arrived */
    void assertAnswered(boolean intact) {
        if (intact && !freed.equals(pulled)) {
            throw new AssertionError("of the pulls " + pulled + " these were freed: " + freed);
        }
    }

    FrameListener reader(PullClient client, Runnable onLost) {
        return new Ear(onLost) {
            @Override
            void hear(ControlMessage message) throws WireException {
                if (message instanceof ControlMessage.Ready ready) {
                    client.onReady(ready);
                } else if (message instanceof ControlMessage.NotReady notReady) {
                    client.onNotReady(notReady);
                }
            }
        };
    }

    FrameListener server(PullServer server, Runnable onLost) {
        return new Ear(onLost) {
            @Override
            void hear(ControlMessage message) throws WireException {
                if (message instanceof ControlMessage.Pull pull) {
                    server.onPull(pull.pullId(), pull.request());
                } else if (message instanceof ControlMessage.Free free) {
                    server.onFree(free.pullId());
                }
            }
        };
    }

    private abstract static class Ear implements FrameListener {
        private final Runnable onLost;

        Ear(Runnable onLost) {
            this.onLost = onLost;
        }

        abstract void hear(ControlMessage message) throws WireException;

        @Override
        public void onFrame(ByteBuffer frame) throws WireException {
            hear(ControlMessage.CODEC.decode(frame));
        }

        @Override
        public void onGarbage(WireException cause) {
            throw new AssertionError("one of ours spoke garbage", cause);
        }

        @Override
        public void onClosed(String why) {
            onLost.run();
        }
    }

    private static ControlMessage decode(ByteBuffer frame) {
        try {
            return ControlMessage.CODEC.decode(frame);
        } catch (WireException e) {
            throw new AssertionError("one of ours spoke garbage", e);
        }
    }

    private static void once(Set<Long> pulls, long id, String what) {
        if (!pulls.add(id)) {
            throw new AssertionError("pull " + id + " was " + what + " twice");
        }
    }
}
