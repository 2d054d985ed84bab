package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.client.ArrivedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.apache.spark.network.buffer.NettyManagedBuffer;
import org.junit.jupiter.api.Test;

/** How long the bytes of a block stay where they are: others get the memory when they go back. */
class SlabBufferTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ArrivedBytes arrived = new ArrivedBytes();

    private SlabBuffer buffer() {
        return new SlabBuffer(
                arrived.of(new byte[] {1, 2}, /* wantedBack= */ false),
                List.of(arrived.of(new byte[] {3}, /* wantedBack= */ false)));
    }

    /** Lets the collector find something else that is dropped, so that it has looked at everything. */
    private static void collect() {
        ArrivedBytes dropped = new ArrivedBytes();
        assertThat(new SlabBuffer(dropped.of(1)).size()).isOne();
        await().atMost(PATIENCE).until(() -> {
            System.gc();
            return dropped.held() == 0;
        });
    }

    /**
     * A reader that goes on with an older stream after the iterator's next block: with Netty its memory is leaked, and
     * its bytes stay right.
     */
    @Test
    void aStreamHoldsItsBytesThoughItsBlockIsDropped() throws Exception {
        InputStream stream = buffer().createInputStream();

        collect();

        assertThat(arrived.held()).isEqualTo(2);
        assertThat(stream.readAllBytes()).containsExactly(1, 2, 3);
    }

    @Test
    void aStreamThatIsDroppedOrClosedHoldsNothing() throws Exception {
        InputStream closed = buffer().createInputStream();
        closed.close();

        await().atMost(PATIENCE).until(() -> {
            System.gc();
            return arrived.held() == 0;
        });
        assertThatThrownBy(closed::read).isInstanceOf(IOException.class);
    }

    /** Netty's streams behave so, too. The memory may belong to another block by then. */
    @Test
    void aStreamReadsNothingAfterTheLastReleaseOfItsBlock() throws Exception {
        SlabBuffer block = buffer();
        InputStream stream = block.createInputStream();
        assertThat(stream.read()).isEqualTo(1);

        block.release();

        assertThatThrownBy(stream::read).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> stream.read(new byte[1])).isInstanceOf(IllegalStateException.class);
        assertThat(arrived.held()).isZero();
    }

    /** The twin of the test above. */
    @Test
    void nettysStreamReadsNothingAfterTheLastReleaseEither() throws Exception {
        NettyManagedBuffer block =
                new NettyManagedBuffer(Unpooled.directBuffer().writeBytes(new byte[] {1, 2, 3}));
        InputStream stream = block.createInputStream();
        assertThat(stream.read()).isEqualTo(1);

        block.release();

        assertThatThrownBy(stream::read).isInstanceOf(IllegalReferenceCountException.class);
    }

    @Test
    void whatIsNoStreamIsACopy() {
        SlabBuffer block = buffer();
        ByteBuffer bytes = block.nioByteBuffer();
        ByteBuf netty = (ByteBuf) block.convertToNetty();

        block.release();

        assertThat(bytes.hasArray()).isTrue();
        assertThat(bytes).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(netty.nioBuffer()).isEqualTo(bytes);
    }
}
