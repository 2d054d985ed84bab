package io.boltshuffle.spark;

import io.boltshuffle.client.FetchedBytes;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.buffer.ManagedBuffer;

/**
 * A block as Spark holds it, read where it arrived.
 *
 * <p><b>Ownership:</b> begins with one reference; the bytes go back with the last one.
 *
 * <p><b>Threads:</b> any.
 */
final class SlabBuffer extends ManagedBuffer {

    private final FetchedBytes bytes;
    private final AtomicInteger references = new AtomicInteger(1);

    SlabBuffer(FetchedBytes bytes) {
        this.bytes = bytes;
    }

    @Override
    public long size() {
        return bytes.size();
    }

    @Override
    public ByteBuffer nioByteBuffer() {
        return readable();
    }

    @Override
    public InputStream createInputStream() {
        return new ByteBufInputStream(Unpooled.wrappedBuffer(readable()));
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
            bytes.release();
        }
        return this;
    }

    @Override
    public Object convertToNetty() {
        return Unpooled.wrappedBuffer(readable());
    }

    /** Overrides on Spark 4, which has it; on 3.5 nobody calls it. */
    @Override
    public Object convertToNettyForSsl() {
        return Unpooled.wrappedBuffer(readable());
    }

    private ByteBuffer readable() {
        if (references.get() == 0) {
            throw new IllegalStateException("read after the last release");
        }
        return bytes.buffer();
    }
}
