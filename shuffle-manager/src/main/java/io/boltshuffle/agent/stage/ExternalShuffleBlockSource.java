package io.boltshuffle.agent.stage;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.ExecutorDiskUtils;
import org.apache.spark.network.shuffle.ExternalShuffleBlockResolver;
import org.apache.spark.network.shuffle.protocol.ExecutorShuffleInfo;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Finds blocks as Spark's external shuffle service does, with its own resolver: the layout of shuffle files stays
 * Spark's business. The one class outside the plugin's Spark side that names Spark.
 *
 * <p>The resolver makes the names of two files anew for each block. So it is asked for the first block of a map output;
 * the output's other blocks are found by its index, provided that this tells of the first one what the resolver did.
 * Should a map task that runs again put another file in the output's place, the blocks found so are read no more, and
 * go by TCP.
 *
 * <p><b>Threads:</b> any; the resolver is made for many.
 */
public final class ExternalShuffleBlockSource implements BlockLocator {

    /** As much as Spark's resolver keeps by default. Here it keeps none, which could be of a file that was replaced. */
    private static final long KEPT_INDEX_BYTES = 100L << 20;

    private static final Map<String, String> SETTINGS = Map.of("spark.shuffle.service.index.cache.size", "0");

    /** How Spark ends the names of an output's two files. */
    private static final String DATA = ".data";

    private static final String INDEX = ".index";

    private record Executor(String application, String id) {}

    /** What an executor told of its files. */
    private record ExecutorFiles(ExecutorShuffleInfo places, boolean last) {}

    private final ExternalShuffleBlockResolver resolver;
    private final Map<Executor, ExecutorFiles> executors = new ConcurrentHashMap<>();
    private final MapOutputs outputs = new MapOutputs(KEPT_INDEX_BYTES);

    public ExternalShuffleBlockSource() throws IOException {
        // Without a file the resolver keeps registrations in memory only; executors register anew with a new agent.
        this.resolver =
                new ExternalShuffleBlockResolver(new TransportConf("shuffle", new MapConfigProvider(SETTINGS)), null);
    }

    @Override
    public void register(Registration registration) {
        ExecutorShuffleInfo files = new ExecutorShuffleInfo(
                registration.localDirs().toArray(String[]::new),
                registration.subDirsPerLocalDir(),
                registration.shuffleManager());
        resolver.registerExecutor(registration.application(), registration.executor(), files);
        executors.put(
                new Executor(registration.application(), registration.executor()),
                new ExecutorFiles(files, registration.lastingFiles()));
        outputs.forget();
    }

    @Override
    public void forget(String application) {
        resolver.applicationRemoved(application, false);
        executors.keySet().removeIf(executor -> executor.application().equals(application));
        outputs.forget();
    }

    @Override
    public FileRange locate(String application, String executor, BlockRange block) throws BlockUnavailableException {
        MapOutput kept = outputs.find(application, executor, block);
        FileRange known = kept == null ? null : kept.range(block);
        if (known != null) {
            return checked(block, known);
        }
        long generation = outputs.generation();
        FileRange asked = ask(application, executor, block);
        readIndex(new Executor(application, executor), asked)
                .filter(output -> asked.isSamePlace(output.range(block)))
                .ifPresent(output -> outputs.keep(application, executor, block, output, generation));
        return asked;
    }

    /** The index of the output that has this range; empty where it cannot be read. */
    private Optional<MapOutput> readIndex(Executor executor, FileRange range) {
        ExecutorFiles files = executors.get(executor);
        String name = String.valueOf(range.file().getFileName());
        if (files == null || !name.endsWith(DATA)) {
            return Optional.empty();
        }
        String index = name.substring(0, name.length() - DATA.length()) + INDEX;
        try {
            return Optional.of(MapOutput.read(
                    range.file(),
                    Path.of(ExecutorDiskUtils.getFilePath(
                            files.places().localDirs, files.places().subDirsPerLocalDir, index)),
                    files.last()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private FileRange ask(String application, String executor, BlockRange block) throws BlockUnavailableException {
        ManagedBuffer buffer;
        try {
            buffer = resolver.getContinuousBlocksData(
                    application, executor, block.shuffleId(), block.mapId(), block.startReduce(), block.endReduce());
        } catch (RuntimeException e) {
            throw new BlockUnavailableException(FailureReason.UNKNOWN_BLOCK, block + ": " + e.getMessage(), e);
        }
        if (buffer instanceof FileSegmentManagedBuffer segment) {
            return checked(
                    block, new FileRange(segment.getFile().toPath(), null, segment.getOffset(), segment.getLength()));
        }
        throw new BlockUnavailableException(
                FailureReason.UNKNOWN_BLOCK,
                block + " is a " + buffer.getClass().getName() + ", not in a file");
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
