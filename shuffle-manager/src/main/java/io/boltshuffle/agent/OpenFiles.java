package io.boltshuffle.agent;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shuffle files that were read a moment ago, kept open because the next reducer reads its blocks from the same ones: opening
 * a file takes longer than reading a small block.
 *
 * <p><b>Invariant:</b> no more than a limit are open beside those being read, and none that was not read for a while: a
 * deleted file takes its room on the disk until it is closed.
 *
 * <p><b>Threads:</b> any; files are opened, read and closed outside of the lock.
 */
final class OpenFiles implements Closeable {

    private final int limit;
    private final long idleNanos;
    /** Least recently used first. Guarded by this. */
    private final Map<Path, OpenFile> files = new LinkedHashMap<>(16, 0.75f, true);

    private boolean closed;

    OpenFiles(int limit, long idleNanos) {
        this.limit = limit;
        this.idleNanos = idleNanos;
    }

    /** A file and who reads it. Guarded by the outer object. */
    private static final class OpenFile {
        private final FileChannel channel;
        private int readers;
        private long lastReadNanos;
        private boolean forgotten;

        OpenFile(FileChannel channel) {
            this.channel = channel;
        }
    }

    /** Fills {@code into} with the file's bytes from {@code offset} on. */
    void read(Path path, long offset, ByteBuffer into) throws IOException {
        OpenFile file = take(path);
        try {
            long position = offset;
            while (into.hasRemaining()) {
                int count = file.channel.read(into, position);
                if (count < 0) {
                    throw new EOFException(
                            "ends at " + position + ", before the end of the block that its index tells");
                }
                position += count;
            }
        } finally {
            give(file);
        }
    }

    /** Closes what was not read for a while. */
    void closeIdle(long nowNanos) {
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

    synchronized int count() {
        return files.size();
    }

    private OpenFile take(Path path) throws IOException {
        synchronized (this) {
            OpenFile known = files.get(path);
            if (known != null) {
                known.readers++;
                return known;
            }
        }
        OpenFile opened = new OpenFile(FileChannel.open(path, StandardOpenOption.READ));
        opened.readers = 1;
        List<OpenFile> dropped = new ArrayList<>();
        synchronized (this) {
            // Of two readers who open it at once, one's is forgotten.
            if (closed || files.putIfAbsent(path, opened) != null) {
                opened.forgotten = true;
            }
            trim(dropped);
        }
        dropped.forEach(OpenFiles::close);
        return opened;
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
            file.forgotten = true;
            if (file.readers == 0) {
                dropped.add(file);
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
