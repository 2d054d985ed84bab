package io.boltshuffle.rdma.link;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** An endless sequence of bytes, chunk by chunk, that a seed stands for. */
final class Content {

    static final int CHUNK = 1 << 20;

    private final SplittableRandom random;
    private final byte[] chunk = new byte[CHUNK];

    Content(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** The next bytes, valid until the next call. */
    ByteBuffer next(int bytes) {
        random.nextBytes(chunk);
        return ByteBuffer.wrap(chunk, 0, bytes);
    }
}
