package io.boltshuffle.agent.stage;

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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * <p><b>Threads:</b> any; files are opened, read and closed outside of the lock.
 */
public final class OpenFiles implements Closeable {

    /** The rest of what the process may open is left to sockets and devices. */
    private static final int SHARE_OF_DESCRIPTORS = 4;

    private static final int MOST = 4096;

    private final int limit;
    private final long idleNanos;
    /** Least recently used first. Guarded by this. */
    private final Map<Path, OpenFile> files = new LinkedHashMap<>(16, 0.75f, true);

    private boolean closed;

    public OpenFiles(int limit, long idleNanos) {
        this.limit = limit;
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
     * How many may be kept. Each reducer reads all map outputs of a host in turn, so fewer than there are would be as
     * good as none: each would be closed just before it is read again.
     *
     * @param descriptors that the process may have
     */
    static int limit(long descriptors) {
        return (int) Math.max(1, Math.min(MOST, descriptors / SHARE_OF_DESCRIPTORS));
    }

    /** A file and who reads it. Guarded by the outer object. */
    private static final class OpenFile {
        private final FileChannel channel;
        /** Of the file itself, whatever its name; null where the file system has none. */
        private final @Nullable Object key;

        private int readers;
        private long lastReadNanos;
        private boolean forgotten;

        OpenFile(FileChannel channel, @Nullable Object key) {
            this.channel = channel;
            this.key = key;
        }

        boolean is(@Nullable Object other) {
            return key != null && Objects.equals(key, other);
        }
    }

    /** Fills {@code into}, which has room for just these, with the bytes of the range. */
    public void read(FileRange range, ByteBuffer into) throws IOException {
        read(range, into, Integer.MAX_VALUE, piece -> {});
    }

    /**
     * The same, piece by piece.
     *
     * @param pieceBytes how much is read at a time
     * @param onPiece sees each piece that was read
     */
    public void read(FileRange range, ByteBuffer into, int pieceBytes, Consumer<ByteBuffer> onPiece)
            throws IOException {
        OpenFile file = take(range);
        try {
            long position = range.offset();
            while (into.hasRemaining()) {
                ByteBuffer piece = into.slice(into.position(), Math.min(pieceBytes, into.remaining()));
                StagingRead.fill(file.channel, position, piece);
                position += piece.limit();
                into.position(into.position() + piece.limit());
                onPiece.accept(piece.flip());
            }
        } finally {
            give(file);
        }
    }

    /** Closes what was not read for a while. */
    public void closeIdle(long nowNanos) {
        List<OpenFile> idle = new ArrayList<>();
        synchronized (this) {
            for (Iterator<OpenFile> each = files.values().iterator(); each.hasNext(); ) {
                OpenFile file = each.next();
                if (file.readers == 0 && nowNanos - file.lastReadNanos > idleNanos) {
                    each.remove();
                    idle.add(file);
                }
            }
        }
        idle.forEach(OpenFiles::close);
    }

    /** Closes all; those being read when their readers are done. */
    @Override
    public void close() {
        List<OpenFile> unread;
        synchronized (this) {
            closed = true;
            files.values().forEach(file -> file.forgotten = true);
            unread = files.values().stream().filter(file -> file.readers == 0).toList();
            files.clear();
        }
        unread.forEach(OpenFiles::close);
    }

    /**
     * Returns the files that are open for the next reader, least recently used first. Only tests ask: nothing else
     * shows whether a file that is read again was open.
     */
    synchronized List<Path> kept() {
        return List.copyOf(files.keySet());
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
        opened.readers = 1;
        List<OpenFile> dropped = new ArrayList<>();
        synchronized (this) {
            if (closed) {
                opened.forgotten = true;
            } else {
                // One that another reader opened meanwhile, or of a file that is no longer there.
                forget(files.put(path, opened), dropped);
            }
            trim(dropped);
        }
        dropped.forEach(OpenFiles::close);
        return opened;
    }

    private synchronized @Nullable OpenFile takeKnown(Path path, @Nullable Object key) {
        OpenFile known = files.get(path);
        if (known == null || !known.is(key)) {
            return null;
        }
        known.readers++;
        return known;
    }

    private void give(OpenFile file) {
        boolean close;
        synchronized (this) {
            file.readers--;
            file.lastReadNanos = System.nanoTime();
            close = file.forgotten && file.readers == 0;
        }
        if (close) {
            close(file);
        }
    }

    private void trim(List<OpenFile> dropped) {
        Iterator<OpenFile> oldest = files.values().iterator();
        for (int over = files.size() - limit; over > 0 && oldest.hasNext(); over--) {
            OpenFile file = oldest.next();
            oldest.remove();
            forget(file, dropped);
        }
    }

    /** The last reader closes it; without readers it is for the caller to close. */
    private static void forget(@Nullable OpenFile file, List<OpenFile> unread) {
        if (file != null) {
            file.forgotten = true;
            if (file.readers == 0) {
                unread.add(file);
            }
        }
    }

    private static void close(OpenFile file) {
        try {
            file.channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
