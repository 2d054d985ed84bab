package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.FetchedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A block as Spark holds it. Streams read it in the memory in which it arrived, which is several pieces if the block is
 * large; everything else gets a copy.
 *
 * <p><b>Ownership:</b> begins with one reference; the bytes go back with the last one. If that is dropped instead, they
 * stay as long as a stream is held that was not closed, because the garbage collector gives back only what nothing
 * leads to. No plain buffer over the bytes leaves this class: it would not lead to them.
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

    /** Returns a copy on the heap. Spark reads shuffle blocks as streams instead. */
    @Override
    public ByteBuffer nioByteBuffer() {
        ByteBuffer copy = ByteBuffer.allocate(Math.toIntExact(size));
        try {
            readable().readBytes(copy);
        } finally {
            Reference.reachabilityFence(this);
        }
        return copy.flip();
    }

    @Override
    public InputStream createInputStream() {
        return new InPlace(readable(), this);
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
        return Unpooled.wrappedBuffer(nioByteBuffer());
    }

    /** Overrides a method of Spark 4; nothing calls it on Spark 3.5. */
    @Override
    public Object convertToNettyForSsl() {
        return convertToNetty();
    }

    private void requireHeld() {
        if (references == 0) {
            throw new IllegalStateException("read after the last release");
        }
    }

    private ByteBuf readable() {
        requireHeld();
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

    /**
     * Reads the block where it lies, and leads to it until it is closed. After the block's last release it throws, as
     * Netty's streams do: others may have the memory by then.
     */
    private static final class InPlace extends ByteBufInputStream {
        private @Nullable SlabBuffer block;

        InPlace(ByteBuf bytes, SlabBuffer block) {
            super(bytes);
            this.block = block;
        }

        private SlabBuffer held() throws IOException {
            SlabBuffer held = block;
            if (held == null) {
                throw new IOException("the stream is closed");
            }
            held.requireHeld();
            return held;
        }

        @Override
        public int read() throws IOException {
            SlabBuffer held = held();
            try {
                return super.read();
            } finally {
                Reference.reachabilityFence(held);
            }
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            SlabBuffer held = held();
            try {
                return super.read(into, offset, length);
            } finally {
                Reference.reachabilityFence(held);
            }
        }

        @Override
        public void close() throws IOException {
            block = null;
            super.close();
        }
    }
}
