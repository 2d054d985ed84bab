package io.boltshuffle.agent.files;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.network.shuffle.ExecutorDiskUtils;
import org.jspecify.annotations.Nullable;

/**
 * Finds blocks as Spark's external shuffle service does, in the places that its resolver tells. The one class outside
 * the plugin's Spark side that names Spark. Spark's resolver itself reads an output's whole index to find a block of it
 * unless it keeps the index, and what it keeps may be of a file that was replaced.
 *
 * <p>An index is read as a whole where there is room to keep it, and two of its offsets where there is none. Should a
 * map task that runs again put another file in the output's place, the blocks found so are read no more, and go by TCP.
 *
 * <p><b>Threads:</b> any.
 */
public final class ExternalShuffleBlockSource implements BlockLocator {

    /** The size of the index cache, which is the default of Spark's resolver. */
    private static final long KEPT_INDEX_BYTES = 100L << 20;

    private record Executor(String application, String id) {}

    private final Map<Executor, Registration> executors = new ConcurrentHashMap<>();
    private final LongAdder indexBytesRead = new LongAdder();
    private final MapOutputs outputs;

    public ExternalShuffleBlockSource() {
        this(KEPT_INDEX_BYTES);
    }

    /** @param keptIndexBytes what indexes that are kept may take together */
    ExternalShuffleBlockSource(long keptIndexBytes) {
        this.outputs = new MapOutputs(keptIndexBytes);
    }

    @Override
    public void register(Registration registration) {
        executors.put(new Executor(registration.application(), registration.executor()), registration);
        outputs.forget(registration.application(), registration.executor());
    }

    @Override
    public void forget(String application) {
        executors.keySet().removeIf(executor -> executor.application().equals(application));
        outputs.forget(application);
    }

    @Override
    public FileRange locate(String application, String executor, BlockRange block) throws BlockUnavailableException {
        MapOutput kept = outputs.find(application, executor, block);
        FileRange known = kept == null ? null : kept.range(block);
        return checked(block, known == null ? read(application, executor, block) : known);
    }

    private FileRange read(String application, String executor, BlockRange block) throws BlockUnavailableException {
        long generation = outputs.generation(); // before there is a look at where the executor's files are
        Registration files = executors.get(new Executor(application, executor));
        if (files == null) {
            throw new BlockUnavailableException(
                    FailureReason.UNKNOWN_BLOCK, "executor " + executor + " of " + application + " is not registered");
        }
        String output = "shuffle_" + block.shuffleId() + "_" + block.mapId() + "_0";
        FileRange found;
        try {
            Path dataPath = path(files, output + ".data");
            ReaderPool.begin(application, dataPath);
            OutputFile file = OutputFile.of(dataPath, files.lastingFiles());
            Path indexPath = path(files, output + ".index");
            ReaderPool.begin(application, indexPath);
            try (ShuffleIndex index = ShuffleIndex.open(indexPath, file, indexBytesRead::add)) {
                found = find(application, executor, block, index, generation);
            }
        } catch (NoSuchFileException | RuntimeException e) { // also of directories that are none
            throw new BlockUnavailableException(FailureReason.UNKNOWN_BLOCK, block + ": " + e, e);
        } catch (IOException e) {
            throw new BlockUnavailableException(FailureReason.READ_ERROR, block + ": " + e, e);
        } finally {
            ReaderPool.end();
        }
        if (found == null) {
            throw new BlockUnavailableException(FailureReason.UNKNOWN_BLOCK, block + " is behind its output's index");
        }
        return found;
    }

    private @Nullable FileRange find(
            String application, String executor, BlockRange block, ShuffleIndex index, long generation)
            throws IOException {
        if (!outputs.hasRoomFor(index.bytes())) {
            return index.range(block);
        }
        MapOutput output = index.whole();
        outputs.keep(application, executor, block, output, generation);
        return output.range(block);
    }

    private static Path path(Registration files, String name) {
        String[] directories = files.localDirs().toArray(String[]::new);
        return Path.of(ExecutorDiskUtils.getFilePath(directories, files.subDirsPerLocalDir(), name));
    }

    /**
     * Returns how many bytes of indexes were read. Only tests ask: nothing else shows whether what is found again was
     * kept.
     */
    long indexBytesRead() {
        return indexBytesRead.sum();
    }

    /** An index may tell whatever it likes, and what is out of range cannot even be told to a peer. */
    private static FileRange checked(BlockRange block, FileRange range) throws BlockUnavailableException {
        long offset = range.offset();
        long bytes = range.bytes();
        if (offset < 0 || bytes < 0 || bytes > WireLimits.MAX_BLOCK_BYTES || offset > Long.MAX_VALUE - bytes) {
            throw new BlockUnavailableException(
                    FailureReason.READ_ERROR,
                    block + ": its index tells of " + bytes + " bytes at " + offset + " of " + range.file());
        }
        return range;
    }
}
