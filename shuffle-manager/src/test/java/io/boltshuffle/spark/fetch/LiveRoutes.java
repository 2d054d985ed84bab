package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.ArrivedBytes;
import io.boltshuffle.spark.meter.FallbackReason;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;

/** A route without an agent, for tests of the code that fetches by it. */
public final class LiveRoutes {

    private final ArrivedBytes arrived = new ArrivedBytes();
    private final FakeTransport transport = new FakeTransport();
    private final LiveRoute route = new LiveRoute(transport, List.of());

    public LiveRoute route() {
        return route;
    }

    /** From now on this block comes. */
    public void deliver(String blockId, byte[] bytes) {
        transport.behaviour = request -> {
            ManagedBuffer buffer = new SlabBuffer(List.of(arrived.of(bytes, /* wantedBack= */ false)));
            request.receiver().delivered(blockId, buffer);
            buffer.release();
        };
    }

    /** From now on every block is handed back. */
    public void refuse() {
        transport.behaviour = request ->
                request.receiver().handedBack(request.blockIds(), FallbackReason.BLOCK_UNAVAILABLE, "of the test");
    }

    /** From now on the transport throws. */
    public void breakDown() {
        transport.behaviour = request -> {
            throw new IllegalStateException("of the test");
        };
    }

    /** Returns how many blocks were not released. */
    public int held() {
        return arrived.held();
    }

    /** Returns how often the transport was asked. */
    public int requests() {
        return transport.requests.size();
    }
}
