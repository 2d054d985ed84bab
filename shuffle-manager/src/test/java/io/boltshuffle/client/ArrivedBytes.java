package io.boltshuffle.client;

import io.boltshuffle.wire.BlockSlice;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** Bytes as a client hands them on, for tests of the code that takes them. */
public final class ArrivedBytes {

    private final AtomicInteger held = new AtomicInteger();

    public FetchedBytes of(int size) {
        return of(new byte[size], /* wantedBack= */ false);
    }

    public FetchedBytes of(byte[] bytes, boolean wantedBack) {
        held.incrementAndGet();
        SlabLease lease = new SlabLease(1, held::decrementAndGet, new ClientCounters());
        return new FetchedBytes.Cut(FetchedBytes.Arrival.inSlab(ByteBuffer.wrap(bytes), wantedBack, lease))
                .next(new BlockSlice(0, 0, bytes.length, bytes.length));
    }

    /** Returns how many were not released. */
    public int held() {
        return held.get();
    }
}
