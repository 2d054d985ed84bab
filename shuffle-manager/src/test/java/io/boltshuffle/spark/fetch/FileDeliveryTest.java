package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.client.ArrivedBytes;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.BlockSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.shuffle.DownloadFile;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.DownloadFileWritableChannel;
import org.apache.spark.network.util.TransportConf;
import org.junit.jupiter.api.Test;

class FileDeliveryTest {

    private static final List<String> NAMES = List.of("first", "second");
    private static final int SLICE_BYTES = 100;

    private final List<String> answers = new ArrayList<>();
    private final ArrivedBytes bytes = new ArrivedBytes();
    private final SmallDisk disk = new SmallDisk();
    private final FileDelivery delivery = new FileDelivery(new Answers(), disk, Runnable::run);

    @Test
    void blocksThatFitTheDiskAreDelivered() {
        disk.freeBytes = 2 * SLICE_BYTES;
        slices(0, 2);
        assertThat(answers).containsExactly("first delivered");
        assertThat(disk.files).isOne();
        assertThat(bytes.held()).isZero();
    }

    @Test
    void aFullDiskHandsTheBlockBackOnceAndLeavesNoFile() {
        disk.freeBytes = SLICE_BYTES + SLICE_BYTES / 2;
        slices(0, 4);
        assertThat(answers).containsExactly("first handed back: DISK_WRITE");
        assertThat(disk.files).isZero();
        assertThat(bytes.held()).isZero();
    }

    /** Want of memory throws it, for example. */
    @Test
    void anErrorIsAnAnswerToo() {
        disk.freeBytes = 2 * SLICE_BYTES;
        disk.breaks = true;
        slices(0, 2);
        disk.breaks = false;
        slices(1, 2);
        assertThat(answers).startsWith("first handed back: DISK_WRITE").endsWith("second delivered");
        assertThat(bytes.held()).isZero();
    }

    @Test
    void theNextBlockIsTriedAgain() {
        slices(0, 2);
        disk.freeBytes = 2 * SLICE_BYTES;
        slices(1, 2);
        assertThat(answers).containsExactly("first handed back: DISK_WRITE", "second delivered");
        assertThat(bytes.held()).isZero();
    }

    private void slices(int block, int count) {
        for (int slice = 0; slice < count; slice++) {
            delivery.onSlice(
                    new BlockSlice(block, (long) slice * SLICE_BYTES, SLICE_BYTES, (long) count * SLICE_BYTES),
                    bytes.of(SLICE_BYTES));
        }
    }

    private final class Answers implements RdmaTransport.Receiver {
        @Override
        public void delivered(int block, ManagedBuffer buffer) {
            answers.add(NAMES.get(block) + " delivered");
        }

        @Override
        public void handedBack(int block, FallbackReason reason, String detail) {
            answers.add(NAMES.get(block) + " handed back: " + reason);
        }
    }

    /** Files on a disk that may be full. Keeps those it is given to clean. */
    private static final class SmallDisk implements DownloadFileManager {
        private long freeBytes;
        private int files;
        private boolean breaks;

        @Override
        public DownloadFile createTempFile(TransportConf conf) {
            if (breaks) {
                throw new OutOfMemoryError("made by a test");
            }
            files++;
            return new SmallFile();
        }

        @Override
        public boolean registerTempFileToClean(DownloadFile file) {
            return true;
        }

        private final class SmallFile implements DownloadFile {
            @Override
            public boolean delete() {
                files--;
                return true;
            }

            @Override
            public DownloadFileWritableChannel openForWriting() {
                return new SmallChannel();
            }

            @Override
            public String path() {
                return "a small disk";
            }
        }

        private final class SmallChannel implements DownloadFileWritableChannel {
            @Override
            public ManagedBuffer closeAndRead() {
                return new NioManagedBuffer(ByteBuffer.allocate(0));
            }

            @Override
            public int write(ByteBuffer source) throws IOException {
                if (freeBytes == 0) {
                    throw new IOException("No space left on device");
                }
                int count = (int) Math.min(freeBytes, source.remaining());
                source.position(source.position() + count);
                freeBytes -= count;
                return count;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        }
    }
}
