package io.boltshuffle.spark.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.junit.jupiter.api.Test;
import scala.Option;

class LiveBufferTest {

    private final CountedBuffer inSlab = new CountedBuffer(new byte[] {1, 2, 3});
    private final LiveBuffer buffer = new LiveBuffer(inSlab);

    /** Bytes that must not be read once they were released. */
    private static final class CountedBuffer extends ManagedBuffer {
        private final byte[] bytes;
        private int references = 1;

        CountedBuffer(byte[] bytes) {
            this.bytes = bytes;
        }

        private NioManagedBuffer readable() {
            if (references < 1) {
                throw new IllegalStateException("read after the last release");
            }
            return new NioManagedBuffer(ByteBuffer.wrap(bytes));
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public ByteBuffer nioByteBuffer() throws IOException {
            return ByteBuffer.allocate(bytes.length)
                    .put(readable().nioByteBuffer())
                    .flip();
        }

        @Override
        public InputStream createInputStream() throws IOException {
            return readable().createInputStream();
        }

        @Override
        public ManagedBuffer retain() {
            references++;
            return this;
        }

        @Override
        public ManagedBuffer release() {
            references--;
            return this;
        }

        @Override
        public Object convertToNetty() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object convertToNettyForSsl() {
            throw new UnsupportedOperationException();
        }
    }

    /** Spark keeps pieces of broadcasts in its memory store, and never releases what they came in. */
    @Test
    void aByteBufferIsACopyAndTheMemoryGoesBackAtOnce() throws Exception {
        ByteBuffer first = buffer.nioByteBuffer();

        assertThat(inSlab.references).isZero();
        assertThat(first.hasArray()).isTrue();
        assertThat(first).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        first.get();
        assertThat(buffer.nioByteBuffer()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(buffer.createInputStream().readAllBytes()).containsExactly(1, 2, 3);
    }

    @Test
    void aStreamReadsInPlaceUntilItsEnd() throws Exception {
        InputStream stream = buffer.createInputStream();

        assertThat(stream.readNBytes(2)).containsExactly(1, 2);
        assertThat(inSlab.references).isEqualTo(1);
        assertThat(stream.readAllBytes()).containsExactly(3);
        assertThat(inSlab.references).isZero();
        assertThat(stream.read()).as("others may have the memory").isEqualTo(-1);
        stream.close();
        assertThat(inSlab.references).isZero();
    }

    @Test
    void aStreamThatIsClosedEarlyReadsNoMore() throws Exception {
        InputStream stream = buffer.createInputStream();
        assertThat(stream.read()).isEqualTo(1);

        stream.close();

        assertThat(inSlab.references).isZero();
        assertThat(stream.read()).isEqualTo(-1);
        assertThat(stream.available()).isZero();
    }

    @Test
    void eachStreamHoldsTheMemory() throws Exception {
        InputStream first = buffer.createInputStream();
        InputStream second = buffer.createInputStream();

        first.close();
        assertThat(second.readNBytes(3)).containsExactly(1, 2, 3);
        second.close();

        assertThat(inSlab.references).isZero();
    }

    @Test
    void aReleaseIsHeededToo() {
        buffer.retain();
        buffer.release();
        assertThat(inSlab.references).isEqualTo(1);
        buffer.release();
        assertThat(inSlab.references).isZero();
    }

    @Test
    void aReleaseTakesNothingFromAStream() throws Exception {
        InputStream stream = buffer.createInputStream();

        buffer.release();

        assertThat(stream.readNBytes(3)).containsExactly(1, 2, 3);
        stream.close();
        assertThat(inSlab.references).isZero();
    }

    /** The task takes the first rows only. */
    @Test
    void aStreamThatATaskDoesNotReadToItsEndLetsGoWithTheTask() throws Exception {
        TaskContextImpl task = TaskContext$.MODULE$.empty();
        TaskContext$.MODULE$.setTaskContext(task);
        try {
            InputStream stream = buffer.createInputStream();
            assertThat(stream.read()).isEqualTo(1);

            task.markTaskCompleted(Option.empty());

            assertThat(inSlab.references).isZero();
            assertThat(stream.read()).isEqualTo(-1);
        } finally {
            TaskContext$.MODULE$.unset();
        }
    }
}
