package io.boltshuffle.cli.option;

import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.cli.runtime.SparkRuntimes;
import io.boltshuffle.cli.runtime.UserCache;
import io.boltshuffle.cli.runtime.WantedSpark;
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
            converter = SparkConverter.class,
            description = "Spark to run with: 3.5, 4.0, 4.1, 4.2 or 4.3, or one release of these, such as 4.2.1 "
                    + "(default: what SPARK_HOME or the active Python environment holds, else the newest that can be "
                    + "had).")
    private @Nullable WantedSpark wanted;

    /** Returns the Spark to use, and fetches it if necessary. */
    public SparkRuntime find(Console console) {
        return find(console, System.getenv());
    }

    /** The same for an application that runs in {@code environment}. */
    public SparkRuntime find(Console console, Map<String, String> environment) {
        return new SparkRuntimes(environment, UserCache.of(System.getenv()), console).find(wanted);
    }

    /** Returns the Spark that the user asked for, or null. */
    public @Nullable WantedSpark wanted() {
        return wanted;
    }

    /** Names the supported lines if another is requested. */
    static final class SparkConverter implements ITypeConverter<WantedSpark> {
        @Override
        public WantedSpark convert(String text) {
            return WantedSpark.of(text)
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + text + "' is not supported; supported are " + SparkLine.supported()));
        }
    }
}
