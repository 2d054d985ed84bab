package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.FetchedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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

    private final List<FetchedBytes> pieces;
    private final long size;
    private final AtomicInteger references = new AtomicInteger(1);

    /**
     * Creates the buffer.
     *
     * @param pieces in order, at least one
     */
    SlabBuffer(List<FetchedBytes> pieces) {
        this.pieces = List.copyOf(pieces);
        this.size = pieces.stream().mapToLong(FetchedBytes::size).sum();
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
        if (references.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
            throw new IllegalStateException("retained after the last release");
        }
        return this;
    }

    @Override
    public ManagedBuffer release() {
        int before = references.getAndUpdate(count -> Math.max(0, count - 1));
        if (before == 0) {
            throw new IllegalStateException("released more often than retained");
        }
        if (before == 1) {
            pieces.forEach(FetchedBytes::release);
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
        if (references.get() == 0) {
            throw new IllegalStateException("read after the last release");
        }
        ByteBuffer[] buffers = pieces.stream().map(FetchedBytes::buffer).toArray(ByteBuffer[]::new);
        // With fewer components than pieces, Netty would copy.
        return Unpooled.wrappedBuffer(buffers.length, buffers);
    }
}
