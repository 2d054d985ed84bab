package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.ArrivedBytes;
import io.boltshuffle.spark.meter.FallbackReason;
import java.time.Duration;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;

/** A route without an agent, for tests of the code that fetches by it. */
public final class LiveRoutes {

    private final ArrivedBytes arrived = new ArrivedBytes();
    private final FakeTransport transport = new FakeTransport();
    private final LiveRoute route =
            new LiveRoute(new LateTransport(() -> transport), List.of(), Duration.ofSeconds(30));

    public LiveRoute route() {
        return route;
    }

    /** From now on each block comes, with these bytes. */
    public void deliver(byte[] bytes) {
        transport.behaviour = request -> {
            ManagedBuffer buffer = new SlabBuffer(arrived.of(bytes, /* wantedBack= */ false));
            request.receiver().delivered(0, buffer);
            buffer.release();
        };
    }

    /** From now on every block is handed back. */
    public void refuse() {
        transport.behaviour =
                request -> request.receiver().handedBack(0, FallbackReason.BLOCK_UNAVAILABLE, "of the test");
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
