package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.FetchedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.apache.spark.network.buffer.ManagedBuffer;

/**
 * A block as Spark holds it. Readers read it in the memory in which it arrived, which is several pieces if the block is
 * large.
 *
 * <p><b>Ownership:</b> begins with one reference; the bytes go back with the last one.
 *
 * <p><b>Threads:</b> any.
 */
final class SlabBuffer extends ManagedBuffer {

    private static final AtomicIntegerFieldUpdater<SlabBuffer> REFERENCES =
            AtomicIntegerFieldUpdater.newUpdater(SlabBuffer.class, "references");

    private final FetchedBytes first;
    private final List<FetchedBytes> others;
    private final long size;
    private volatile int references = 1;

    /** Creates the buffer of a block that came in one piece, as most do. */
    SlabBuffer(FetchedBytes whole) {
        this(whole, List.of());
    }

    /**
     * Creates the buffer of a block.
     *
     * @param others what came after the first piece, in order
     */
    SlabBuffer(FetchedBytes first, List<FetchedBytes> others) {
        this.first = first;
        this.others = others;
        long bytes = first.size();
        for (FetchedBytes other : others) {
            bytes += other.size();
        }
        this.size = bytes;
    }

    @Override
    public long size() {
        return size;
    }

    /** Copies a block that came in several pieces. Spark reads shuffle blocks as streams instead. */
    @Override
    public ByteBuffer nioByteBuffer() {
        return readable().nioBuffer();
    }

    @Override
    public InputStream createInputStream() {
        return new ByteBufInputStream(readable());
    }

    @Override
    public ManagedBuffer retain() {
        if (REFERENCES.getAndUpdate(this, count -> count == 0 ? 0 : count + 1) == 0) {
            throw new IllegalStateException("retained after the last release");
        }
        return this;
    }

    @Override
    public ManagedBuffer release() {
        int before = REFERENCES.getAndUpdate(this, count -> Math.max(0, count - 1));
        if (before == 0) {
            throw new IllegalStateException("released more often than retained");
        }
        if (before == 1) {
            first.release();
            others.forEach(FetchedBytes::release);
        }
        return this;
    }

    @Override
    public Object convertToNetty() {
        return readable();
    }

    /** Overrides a method of Spark 4; nothing calls it on Spark 3.5. */
    @Override
    public Object convertToNettyForSsl() {
        return readable();
    }

    private ByteBuf readable() {
        if (references == 0) {
            throw new IllegalStateException("read after the last release");
        }
        if (others.isEmpty()) {
            return Unpooled.wrappedBuffer(first.buffer());
        }
        ByteBuffer[] buffers = new ByteBuffer[1 + others.size()];
        buffers[0] = first.buffer();
        for (int i = 1; i < buffers.length; i++) {
            buffers[i] = others.get(i - 1).buffer();
        }
        // With fewer components than pieces, Netty would copy.
        return Unpooled.wrappedBuffer(buffers.length, buffers);
    }
}
