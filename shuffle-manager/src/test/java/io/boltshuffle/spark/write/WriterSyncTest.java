package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriterSyncTest {
    private static final byte[] BYTES = new byte[100_000];

    private final Path directory;

    WriterSyncTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void anOutputIsOnTheDiskBeforeItIsCommittedIfSparkIsToldSo() throws IOException {
        ObservedChannel channel = channel(Long.MAX_VALUE);
        try (FileAppender output = new FileAppender(channel, 64 << 10, true)) {
            output.append(BYTES, 0, BYTES.length);
            output.append(BYTES, 0, 10);
            output.finish();
        }

        assertThat(channel.bytesAtForce).containsExactly(100_010L);
    }

    @Test
    void otherwiseTheOperatingSystemDecides() throws IOException {
        ObservedChannel channel = channel(Long.MAX_VALUE);
        try (FileAppender output = new FileAppender(channel, 64 << 10, false)) {
            output.append(BYTES, 0, BYTES.length);
            output.finish();
        }

        assertThat(channel.bytesAtForce).isEmpty();
    }

    @Test
    void aFullDiskIsToldAndTheOutputCannotBeFinished() throws IOException {
        try (FileAppender output = new FileAppender(channel(70_000), 64 << 10, false)) {
            output.append(BYTES, 0, 60_000);
            assertThatThrownBy(() -> output.append(BYTES, 0, BYTES.length)).hasMessage("No space left on device");

            assertThatThrownBy(output::finish).isInstanceOf(IOException.class);
        }
    }

    private ObservedChannel channel(long room) throws IOException {
        return new ObservedChannel(FileAppender.open(directory.resolve("file").toFile()), room);
    }

    /** A channel to a disk with little room, which notes how long the file was when it was forced to it. */
    private static final class ObservedChannel extends FileChannel {
        private final FileChannel file;
        private final long room;
        private final List<Long> bytesAtForce = new ArrayList<>();

        ObservedChannel(FileChannel file, long room) {
            this.file = file;
            this.room = room;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return file.read(target);
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
            return file.read(targets, offset, length);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            long left = room - file.size();
            if (left <= 0) {
                throw new IOException("No space left on device");
            }
            int length = (int) Math.min(left, source.remaining());
            int written = file.write(source.slice(source.position(), length));
            source.position(source.position() + written);
            return written;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw new AssertionError("a map output is written from its beginning to its end, one buffer at a time");
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            file.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            file.truncate(size);
            return this;
        }

        @Override
        public void force(boolean withMetadata) throws IOException {
            assertThat(withMetadata).isTrue();
            file.force(withMetadata);
            bytesAtForce.add(file.size());
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            return file.transferTo(position, count, target);
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new AssertionError("a map output is written from its beginning to its end, one buffer at a time");
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public int write(ByteBuffer source, long position) {
            throw new AssertionError("a map output is written from its beginning to its end, one buffer at a time");
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
            return file.map(mode, position, size);
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) throws IOException {
            return file.lock(position, size, shared);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return file.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}
