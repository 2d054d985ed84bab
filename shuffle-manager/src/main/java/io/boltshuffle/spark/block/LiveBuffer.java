package io.boltshuffle.spark.block;

import io.netty.buffer.Unpooled;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.spark.TaskContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * A block that lies in the agent's memory, for a reader that never releases it: Spark's {@code BlockManager} drops such
 * buffers without {@link #release}.
 *
 * <p>A stream reads the block where it lies, and the memory goes back when the stream is closed, has been read to its
 * end, or its task has ended; cached partitions are read so. A {@link #nioByteBuffer byte buffer} is a copy on the
 * heap, as with Spark's own service, and the memory goes back at once: Spark could keep the buffer for as long as a
 * broadcast lives, and nothing would tell when its last user is gone.
 *
 * <p><b>Ownership:</b> of one reference to the block. If everything that leads to the block is dropped, the garbage
 * collector gives the memory back, and the agent's client counts that.
 *
 * <p><b>Threads:</b> any.
 */
final class LiveBuffer extends ManagedBuffer {

    private final ManagedBuffer inSlab;
    private final long size;
    private int references = 1; // guarded by this
    private boolean handedOn; // guarded by this: the reference is a stream's, or went back
    private @Nullable ByteBuffer copy; // guarded by this

    /**
     * @param inSlab a block whose byte buffer is a copy; the caller's reference to it is this object's from now on
     */
    LiveBuffer(ManagedBuffer inSlab) {
        this.inSlab = inSlab;
        this.size = inSlab.size();
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public synchronized ByteBuffer nioByteBuffer() throws IOException {
        ByteBuffer bytes = copy;
        if (bytes == null) {
            bytes = inSlab.nioByteBuffer();
            copy = bytes;
            handOn();
        }
        return bytes.duplicate();
    }

    @Override
    public synchronized InputStream createInputStream() throws IOException {
        ByteBuffer bytes = copy;
        if (bytes != null) {
            return new NioManagedBuffer(bytes.duplicate()).createInputStream();
        }
        InputStream stream = inSlab.createInputStream();
        if (handedOn) {
            inSlab.retain();
        }
        handedOn = true;
        InPlace block = new InPlace(stream, inSlab);
        TaskContext task = TaskContext.get();
        if (task != null) {
            task.addTaskCompletionListener((TaskCompletionListener) ended -> block.letGo());
        }
        return block;
    }

    @Override
    public synchronized ManagedBuffer retain() {
        references++;
        return this;
    }

    @Override
    public synchronized ManagedBuffer release() {
        references--;
        if (references == 0) {
            handOn();
        }
        return this;
    }

    /** Gives this object's reference back, unless it is a stream's. */
    private void handOn() {
        if (!handedOn) {
            handedOn = true;
            inSlab.release();
        }
    }

    @Override
    public Object convertToNetty() throws IOException {
        return Unpooled.wrappedBuffer(nioByteBuffer());
    }

    /** Overrides a method of Spark 4; nothing calls it on Spark 3.5. */
    @Override
    public Object convertToNettyForSsl() throws IOException {
        return convertToNetty();
    }

    /** Reads a block in place. After its end it reads nothing: others may have the memory by then. */
    private static final class InPlace extends FilterInputStream {
        private @Nullable ManagedBuffer held; // guarded by this

        InPlace(InputStream bytes, ManagedBuffer held) {
            super(bytes);
            this.held = held;
        }

        @Override
        public synchronized int read() throws IOException {
            return orEnd(in.read());
        }

        @Override
        public synchronized int read(byte[] into, int offset, int length) throws IOException {
            return orEnd(in.read(into, offset, length));
        }

        @Override
        public synchronized long skip(long bytes) throws IOException {
            return in.skip(bytes);
        }

        @Override
        public synchronized int available() throws IOException {
            return in.available();
        }

        private int orEnd(int result) {
            if (result < 0) {
                letGo();
            }
            return result;
        }

        @Override
        public void close() {
            letGo();
        }

        synchronized void letGo() {
            ManagedBuffer last = held;
            if (last != null) {
                held = null;
                in = InputStream.nullInputStream();
                last.release();
            }
        }
    }
}
