package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.SparkRuntimes;
import io.boltshuffle.cli.runtime.UserCache;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code --spark}, shared by the verbs that run Spark. */
public final class SparkOption {
    @Option(
            names = "--spark",
            paramLabel = "LINE",
            converter = LineConverter.class,
            description = "Spark to run with: 3.5, 4.0, 4.1 or 4.2 (default: 4.2, or what SPARK_HOME holds).")
    private @Nullable SparkLine line;

    /** Returns the Spark to use, and fetches it if necessary. */
    public SparkRuntime find(Console console) {
        return find(console, System.getenv());
    }

    /** The same for an application that runs in {@code environment}. */
    public SparkRuntime find(Console console, Map<String, String> environment) {
        return new SparkRuntimes(environment, UserCache.of(System.getenv()), console).find(line);
    }

    /** Returns the line that the user asked for, or null. */
    public @Nullable SparkLine line() {
        return line;
    }

    /** Names the supported lines if another is requested. */
    static final class LineConverter implements ITypeConverter<SparkLine> {
        @Override
        public SparkLine convert(String text) {
            return SparkLine.of(text)
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + text + "' is not supported; supported are " + SparkLine.supported()));
        }
    }
}
