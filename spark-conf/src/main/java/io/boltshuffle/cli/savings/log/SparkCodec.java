package io.boltshuffle.cli.savings.log;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The codecs in which Spark writes event logs. A file's name says which. Their libraries are a Spark's, and are loaded
 * only when a compressed log is read.
 */
enum SparkCodec {
    // Spark's streams may be concatenated, which lz4's reader takes for the end unless it is told.
    LZ4("lz4-java", "net.jpountz.lz4.LZ4BlockInputStream", false),
    LZF("compress-lzf", "com.ning.compress.lzf.LZFInputStream", null),
    SNAPPY("snappy-java", "org.xerial.snappy.SnappyInputStream", null),
    ZSTD("zstd-jni", "com.github.luben.zstd.ZstdInputStreamNoFinalizer", null);

    private final String library;
    private final String stream;
    private final @Nullable Boolean stopsAtEmptyBlock;

    SparkCodec(String library, String stream, @Nullable Boolean stopsAtEmptyBlock) {
        this.library = library;
        this.stream = stream;
        this.stopsAtEmptyBlock = stopsAtEmptyBlock;
    }

    /** Returns the codec of a file, or empty for a plain one. */
    static Optional<SparkCodec> of(Path file) {
        List<String> words = Arrays.asList(file.getFileName().toString().split("\\.", -1));
        return words.stream()
                .skip(1)
                .flatMap(word -> Arrays.stream(values())
                        .filter(codec -> codec.name().toLowerCase(Locale.ROOT).equals(word)))
                .reduce((first, last) -> last);
    }

    /** Opens what was written through this codec. */
    InputStream open(InputStream compressed, Libraries libraries) throws IOException {
        try {
            Class<?> type = Class.forName(stream, true, libraries.loader(this));
            return (InputStream)
                    (stopsAtEmptyBlock == null
                            ? type.getConstructor(InputStream.class).newInstance(compressed)
                            : type.getConstructor(InputStream.class, boolean.class)
                                    .newInstance(compressed, stopsAtEmptyBlock));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException broken) {
                throw broken;
            }
            throw missing(libraries, e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw missing(libraries, e);
        }
    }

    private BoltException missing(Libraries libraries, Throwable reason) {
        return BoltException.environment(
                "the " + library + " of Spark at " + libraries.home() + " cannot be used (" + reason + ")",
                "point SPARK_HOME at another Spark, or unset it");
    }

    /** The libraries of a Spark, which is looked for, and fetched if there is none, only when one is needed. */
    static final class Libraries {
        private final Supplier<SparkRuntime> find;
        private final Map<SparkCodec, ClassLoader> loaders = new EnumMap<>(SparkCodec.class);
        private @Nullable SparkRuntime runtime;

        Libraries(Supplier<SparkRuntime> find) {
            this.find = find;
        }

        private Path home() {
            return runtime().home();
        }

        private SparkRuntime runtime() {
            if (runtime == null) {
                runtime = find.get();
            }
            return runtime;
        }

        /** Returns one for all files, because it loads native code. */
        private ClassLoader loader(SparkCodec codec) {
            return loaders.computeIfAbsent(codec, this::load);
        }

        private ClassLoader load(SparkCodec codec) {
            try (Stream<Path> jars = Files.list(runtime().jars())) {
                URL[] library = jars.filter(jar -> jar.getFileName().toString().startsWith(codec.library + "-"))
                        .map(Libraries::url)
                        .toArray(URL[]::new);
                return new URLClassLoader(library, ClassLoader.getPlatformClassLoader());
            } catch (IOException e) {
                throw codec.missing(this, e);
            }
        }

        private static URL url(Path jar) {
            try {
                return jar.toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
