package io.boltshuffle.agent.files;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shuffle files that were read a moment ago, kept open because the next reducer reads its blocks from the same ones:
 * opening a file takes longer than reading a small block.
 *
 * <p><b>Invariant:</b> no more than a limit are open beside those being read, and none that was not read for a while: a
 * deleted file takes its room on the disk until it is closed. What is read is the file that is wanted, by its identity.
 * Unless its name lasts, it must also be the one that the path names now: a map task that runs again may put another
 * one in its place, with another index.
 *
 * <p><b>Threads:</b> any. Reading from a file that is open takes no lock.
 */
public final class OpenFiles implements Closeable {

    /** The rest of what the process may open is left to sockets and devices. */
    private static final int SHARE_OF_DESCRIPTORS = 4;

    private static final int MOST = 4096;

    private final long idleNanos;
    private final RecentlyUsed<Path, OpenFile> files;

    private boolean closed; // guarded by this

    public OpenFiles(int limit, long idleNanos) {
        this.files = new RecentlyUsed<>(limit);
        this.idleNanos = idleNanos;
    }

    /** @param idleNanos how long a file stays open that no pull reads */
    public static OpenFiles ofProcess(long idleNanos) {
        return new OpenFiles(
                limit(ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
                        .getMaxFileDescriptorCount()),
                idleNanos);
    }

    /**
     * Returns how many files may be kept. Each reducer reads all map outputs of a host in turn, so fewer than there are
     * would be as good as none: each would be closed just before it is read again.
     *
     * @param descriptors that the process may have
     */
    static int limit(long descriptors) {
        return (int) Math.max(1, Math.min(MOST, descriptors / SHARE_OF_DESCRIPTORS));
    }

    /**
     * A file and how many hold it: each of its readers, and one for all that are still to come. The last one that lets
     * go closes it.
     */
    private static final class OpenFile {
        private final FileChannel channel;
        /** The key of the file itself, whatever its name; null where the file system has none. */
        private final @Nullable Object key;

        private final AtomicInteger holds = new AtomicInteger(1);
        private volatile long lastReadNanos = System.nanoTime();

        OpenFile(FileChannel channel, @Nullable Object key) {
            this.channel = channel;
            this.key = key;
        }

        boolean is(@Nullable Object other) {
            return key != null && Objects.equals(key, other);
        }

        /** Holds it for a reader; false if it is closed. */
        boolean hold() {
            int before;
            do {
                before = holds.get();
                if (before == 0) {
                    return false;
                }
            } while (!holds.compareAndSet(before, before + 1));
            return true;
        }

        void letGo() {
            if (holds.decrementAndGet() == 0) {
                close();
            }
        }

        boolean isIdle(long nowNanos, long idleNanos) {
            return holds.get() == 1 && nowNanos - lastReadNanos > idleNanos;
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Fills {@code into}, which has room for just these, with the bytes of the range, piece by piece.
     *
     * @param pieceBytes how much is read at a time
     * @param onPiece sees each piece that was read, from the buffer's position to its limit
     */
    public void read(FileRange range, ByteBuffer into, int pieceBytes, Consumer<ByteBuffer> onPiece)
            throws IOException {
        OpenFile file = take(range);
        try {
            long position = range.offset();
            int end = into.limit();
            while (into.position() < end) {
                int from = into.position();
                into.limit(Math.min(end, from + Math.min(pieceBytes, end - from)));
                StagingRead.fill(file.channel, position, into);
                position += into.position() - from;
                onPiece.accept(into.position(from));
                into.position(into.limit()).limit(end);
            }
        } finally {
            file.lastReadNanos = System.nanoTime();
            file.letGo();
        }
    }

    /** Closes what was not read for a while. */
    public void closeIdle(long nowNanos) {
        files.removeIf(file -> file.isIdle(nowNanos, idleNanos)).forEach(OpenFile::letGo);
    }

    /** Closes all; those being read when their readers are done. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        files.removeIf(file -> true).forEach(OpenFile::letGo);
    }

    /**
     * Returns the files that are open for the next reader, least recently used first. Only tests ask: nothing else
     * shows whether a file that is read again was open.
     */
    List<Path> kept() {
        return files.keys();
    }

    private OpenFile take(FileRange range) throws IOException {
        Path path = range.file();
        Object wanted = range.identity();
        OpenFile lasting = range.lasts() && wanted != null ? takeKnown(path, wanted) : null;
        if (lasting != null) {
            return lasting;
        }
        // Before it is opened: were it replaced in between, the next reader would see another key and open it again.
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        if (wanted != null && !wanted.equals(key)) {
            throw new IOException("was replaced after its index was read");
        }
        OpenFile known = takeKnown(path, key);
        if (known != null) {
            return known;
        }
        OpenFile opened = new OpenFile(FileChannel.open(path, StandardOpenOption.READ), key);
        opened.hold();
        keep(path, opened).forEach(OpenFile::letGo);
        return opened;
    }

    /** Keeps a file for other readers. Returns what is kept no more: the file itself after the end. */
    private synchronized List<OpenFile> keep(Path path, OpenFile opened) {
        return closed ? List.of(opened) : files.put(path, opened, 1);
    }

    private @Nullable OpenFile takeKnown(Path path, @Nullable Object key) {
        OpenFile known = files.get(path);
        return known != null && known.is(key) && known.hold() ? known : null;
    }
}
