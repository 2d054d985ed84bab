package io.boltshuffle.rdma.link.engine;

import io.boltshuffle.rdma.link.OutOfBand;
import io.boltshuffle.rdma.link.engine.SimFaults.Kind;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** One direction of the channel beside a cable: ordered, with delays, until it breaks or falls silent. */
final class SimChannel implements OutOfBand {

    private final SimWorld world;
    private final SimFaults faults;
    private final SimCable cable;
    private final int fromSide;
    private final Consumer<ByteBuffer> receiver;
    private long lastArrivalNanos;
    private int sent;

    SimChannel(SimWorld world, SimFaults faults, SimCable cable, int fromSide, Consumer<ByteBuffer> receiver) {
        this.world = world;
        this.faults = faults;
        this.cable = cable;
        this.fromSide = fromSide;
        this.receiver = receiver;
    }

    @Override
    public void send(ByteBuffer message) {
        if (message.remaining() > MAX_MESSAGE_BYTES) {
            throw new AssertionError("a message of " + message.remaining() + " bytes");
        }
        if (cable.channelBreaks()) {
            throw new IllegalStateException("the channel is broken");
        }
        if (cable.isSilent()) {
            return;
        }
        if (faults.strikes(Kind.GARBAGE, sent++, fromSide)) {
            message = spoil(message);
        }
        boolean slow = faults.isSet(Kind.SLOW_CHANNEL) && faults.side() == fromSide;
        long delay = world.between(20_000, slow ? 50_000_000 : 200_000);
        lastArrivalNanos = Math.max(lastArrivalNanos + 1, world.now() + delay);
        ByteBuffer carried = message;
        world.after(lastArrivalNanos - world.now(), () -> receiver.accept(carried));
    }

    private ByteBuffer spoil(ByteBuffer message) {
        ByteBuffer spoilt =
                ByteBuffer.allocate(message.remaining()).put(message).flip();
        for (int i = 0; i < spoilt.limit(); i++) {
            spoilt.put(i, (byte) world.random().nextInt());
        }
        return spoilt;
    }
}
