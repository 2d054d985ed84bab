package io.boltshuffle.spark.write;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds the serialized records of a map task by partition. It gathers a partition's bytes up to the size of a block,
 * encodes them, and adds them to the {@link Arena}. When memory is short, all encoded bytes go to the
 * {@link SpillFile}. At the end each partition is written in its turn: what was spilled, what is in the arena, and what
 * was gathered last, which is encoded then.
 *
 * <p><b>Invariant:</b> a partition's encoded bytes are, in order: those in the spill file, those in the arena. While
 * bytes of a partition are being encoded for the arena, nothing else is encoded.
 *
 * <p><b>Threads:</b> confined to the task's, except {@link #spillSoon}.
 *
 * <p><b>Ownership:</b> owns its memory, its spill file and the encoder's streams, but not the output file.
 */
final class PartitionBuffers implements WriterMemory.Holder, Closeable {
    /**
     * A partition takes this much even if Spark grants nothing: it is less than the buffers of one of Spark's streams.
     */
    private static final int FIRST_GATHERED_BYTES = 1 << 10;

    private static final int FIRST_CHUNK_BYTES = 64 << 10;
    private static final int CHUNK_BYTES = 256 << 10;
    private static final int GROWTH = 4;
    /**
     * The memory below which nothing is spilled, because spills would otherwise be many and small: with less granted,
     * blocks stay short, and so many encoded bytes are kept without asking Spark. Spark's bypass writer has more than
     * that in the buffers of its files.
     */
    private static final int LEAST_SPILL_BYTES = 1 << 20;

    private final WriteFiles files;
    private final PartitionEncoder encoder;
    private final PartitionTotals totals;
    private final WriterMemory memory;
    private final Arena arena;
    private final int partitions;
    private final int gatherBytes;
    private final byte[] @Nullable [] gathered;
    private final int[] filled;
    private final ByteSink toArena = this::appendToArena;
    private final ByteSink toSpill = this::appendToSpill;

    private @Nullable SpillFile spill;
    private boolean busy; // in the middle of a change: no spill for others now
    private boolean discarded;
    private @Nullable Throwable failure; // a write or spill broke off: what there is may be there twice, or not at all
    private volatile boolean spillWanted;

    PartitionBuffers(
            WriteFiles files,
            PartitionEncoder encoder,
            PartitionTotals totals,
            int partitions,
            WriterMemory.Source source) {
        this.files = files;
        this.encoder = encoder;
        this.totals = totals;
        this.partitions = partitions;
        this.gatherBytes = encoder.gatherBytes();
        this.memory = new WriterMemory(source, this);
        this.arena = new Arena(partitions);
        this.gathered = new byte[partitions][];
        this.filled = new int[partitions];
    }

    /** Gives back, between records, memory that another thread of the task asked for. */
    void giveUpIfWanted() throws IOException {
        if (spillWanted) {
            spillWanted = false;
            spillForOthers();
        }
    }

    void write(int partition, int value) throws IOException {
        byte[] target = gathered[partition];
        int at = filled[partition];
        if (target != null && at < target.length) {
            target[at] = (byte) value;
            filled[partition] = at + 1;
        } else {
            writeOnward(partition, new byte[] {(byte) value}, 0, 1);
        }
    }

    void write(int partition, byte[] bytes, int offset, int length) throws IOException {
        byte[] target = gathered[partition];
        int at = filled[partition];
        if (target != null && length <= target.length - at) {
            System.arraycopy(bytes, offset, target, at, length);
            filled[partition] = at + length;
        } else {
            writeOnward(partition, bytes, offset, length);
        }
    }

    /**
     * Takes room in a partition's buffer for bytes that the caller puts there at once.
     *
     * @return where in {@link #reserved} they belong, or -1 if they do not fit: then {@link #write} takes them
     */
    int reserve(int partition, int length) {
        byte[] target = gathered[partition];
        int at = filled[partition];
        if (target == null || length > target.length - at) {
            return -1;
        }
        filled[partition] = at + length;
        return at;
    }

    /** The buffer of a partition in which there was room. */
    @SuppressWarnings("NullAway") // room was found in it
    byte[] reserved(int partition) {
        return gathered[partition];
    }

    /** Makes room, by growth or by encoding, as often as it takes. */
    private void writeOnward(int partition, byte[] bytes, int offset, int length) throws IOException {
        if (discarded) {
            return;
        }
        check();
        busy = true;
        try {
            if (spillWanted) {
                spillAll();
            }
            int from = offset;
            int left = length;
            while (left > 0) {
                byte[] target = gathered[partition];
                int at = filled[partition];
                if (target == null || at == target.length) {
                    makeRoom(partition, target, at, left);
                } else {
                    int fitting = Math.min(left, target.length - at);
                    System.arraycopy(bytes, from, target, at, fitting);
                    filled[partition] = at + fitting;
                    from += fitting;
                    left -= fitting;
                }
            }
        } catch (Exception | Error e) {
            failure = e;
            throw e;
        } finally {
            busy = false;
        }
    }

    private void makeRoom(int partition, byte @Nullable [] target, int at, int wanted) throws IOException {
        int capacity = target == null ? 0 : target.length;
        if (capacity == gatherBytes) {
            drain(partition);
            return;
        }
        int grown = (int) Math.min(
                gatherBytes,
                Math.max((long) Math.max(capacity, FIRST_GATHERED_BYTES / GROWTH) * GROWTH, at + (long) wanted));
        if (!memory.countsBuffers()) {
            memory.force(grown - capacity);
            gathered[partition] = target == null ? new byte[grown] : Arrays.copyOf(target, grown);
            return;
        }
        boolean taken = takeOrSpill(grown - capacity);
        if (gathered[partition] != target) { // it was spilled
            memory.release(taken ? grown - capacity : 0);
        } else if (taken) {
            gathered[partition] = target == null ? new byte[grown] : Arrays.copyOf(target, grown);
        } else if (target == null) {
            int least = Math.min(FIRST_GATHERED_BYTES, gatherBytes);
            memory.force(least);
            gathered[partition] = new byte[least];
        } else {
            drain(partition);
        }
    }

    private boolean takeOrSpill(long bytes) throws IOException {
        if (memory.take(bytes)) {
            return true;
        }
        if (memory.getUsed() < LEAST_SPILL_BYTES) {
            return false;
        }
        spillAll();
        return memory.take(bytes);
    }

    private void drain(int partition) throws IOException {
        byte[] raw = gathered[partition];
        if (raw != null) {
            encoder.encode(partition, raw, filled[partition], toArena);
            filled[partition] = 0;
        }
    }

    private void appendToArena(int partition, byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        int left = length;
        while (true) {
            int appended = arena.append(partition, bytes, from, left);
            from += appended;
            left -= appended;
            if (left == 0) {
                return;
            }
            int chunk = arena.capacity() == 0 ? FIRST_CHUNK_BYTES : CHUNK_BYTES;
            if (arena.capacity() < LEAST_SPILL_BYTES) {
                memory.force(chunk);
                arena.addChunk(new byte[chunk]);
            } else if (memory.take(chunk)) {
                arena.addChunk(new byte[chunk]);
            } else {
                if (gatheredOutweighsArena()) {
                    spillWanted = true; // not now: the encoder is at work
                }
                spill(false);
            }
        }
    }

    private boolean gatheredOutweighsArena() {
        return memory.countsBuffers() && arena.bytes() < memory.heldBytes() / 2;
    }

    @Override
    public void spillForOthers() throws IOException {
        if (!busy && failure == null && memory.heldBytes() > 0) {
            busy = true;
            try {
                spillAll();
            } catch (Exception | Error e) {
                failure = e;
                throw e;
            } finally {
                busy = false;
            }
        }
    }

    @Override
    public void spillSoon() {
        spillWanted = true;
    }

    private void spillAll() throws IOException {
        spillWanted = false;
        spill(gatheredOutweighsArena());
    }

    private void spill(boolean withGathered) throws IOException {
        long heldBefore = memory.heldBytes();
        boolean anything = arena.bytes() > 0 || (withGathered && gatheredAny());
        long written = anything ? writeSpill(withGathered) : 0;
        if (withGathered) {
            dropGathered();
        }
        memory.release(arena.clear());
        memory.trim();
        if (written > 0) {
            files.spilled(heldBefore - memory.heldBytes(), written);
        }
    }

    private boolean gatheredAny() {
        return Arrays.stream(filled).anyMatch(bytes -> bytes > 0);
    }

    private void dropGathered() {
        for (int partition = 0; partition < partitions; partition++) {
            byte[] raw = gathered[partition];
            if (raw != null) {
                gathered[partition] = null;
                filled[partition] = 0;
                memory.release(raw.length);
            }
        }
    }

    /** Writes a spill; returns how many bytes it has. */
    private long writeSpill(boolean withGathered) throws IOException {
        SpillFile file = spill;
        if (file == null) {
            file = files.newSpillFile(partitions);
            spill = file;
        }
        long before = file.position();
        for (int partition = 0; partition < partitions; partition++) {
            long start = file.position();
            arena.copyTo(partition, toSpill);
            byte[] raw = gathered[partition];
            if (withGathered && raw != null && filled[partition] > 0) {
                encoder.encode(partition, raw, filled[partition], toSpill);
            }
            file.endPartition(partition, start);
        }
        long written = file.position() - before;
        if (written > 0) { // a codec may have kept all
            file.endSpill();
        }
        return written;
    }

    private void appendToSpill(int partition, byte[] bytes, int offset, int length) throws IOException {
        totals.add(partition, bytes, offset, length);
        if (spill != null) {
            spill.append(bytes, offset, length);
        }
    }

    /** Writes the whole output to {@code file}, partition after partition. No record may follow. */
    void writeOut(File file) throws IOException {
        busy = true;
        check();
        try (FileAppender output = files.newOutput(file)) {
            ByteSink toOutput = (partition, bytes, offset, length) -> {
                totals.add(partition, bytes, offset, length);
                output.append(bytes, offset, length);
            };
            for (int partition = 0; partition < partitions; partition++) {
                if (spill != null) {
                    spill.copyTo(output, partition, files.transfers());
                }
                arena.copyTo(partition, toOutput);
                encoder.finish(partition, gathered[partition], filled[partition], toOutput);
                gathered[partition] = null;
            }
            output.finish();
            totals.requireSum(output.position());
            files.spentWriting(output.nanos());
        }
    }

    /** Tells that the output will not be written. */
    void dropWhatFollows() {
        discarded = true;
    }

    private void check() throws IOException {
        if (failure != null) {
            throw new IOException("the map output cannot be completed: an earlier write of it failed", failure);
        }
    }

    int spills() {
        return spill == null ? 0 : spill.spills();
    }

    long peakBytes() {
        return memory.peakBytes();
    }

    /** Frees everything, and drops the bytes that follow. */
    @Override
    public void close() {
        dropWhatFollows();
        busy = true;
        try {
            encoder.discard();
            if (spill != null) {
                spill.close();
            }
        } finally {
            Arrays.fill(gathered, null);
            arena.clear();
            memory.releaseAll();
        }
    }
}
