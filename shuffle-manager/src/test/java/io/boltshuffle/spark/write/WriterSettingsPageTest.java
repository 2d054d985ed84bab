package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.internal.config.ConfigEntry$;
import org.apache.spark.internal.config.package$;
import org.junit.jupiter.api.Test;

/** Checks what {@code docs/architecture.md} says of the settings that our writer heeds and ignores. */
class WriterSettingsPageTest {
    private static final Pattern SECTION =
            Pattern.compile("## What SQL and Spark require of a shuffle writer\n(.*?)(\n## |\\z)", Pattern.DOTALL);
    private static final Pattern SETTING = Pattern.compile("`(spark\\.[A-Za-z.]*[A-Za-z])[`=]");

    @Test
    void everySettingOfSparkThatIsNamedThereExists() throws IOException {
        assertThat(package$.MODULE$.SHUFFLE_SYNC().key())
                .as("this registers them")
                .isEqualTo("spark.shuffle.sync");
        String page = Files.readString(Path.of("..", "docs", "architecture.md"));
        String section =
                SECTION.matcher(page).results().findFirst().orElseThrow().group(1);

        List<String> settings = SETTING.matcher(section)
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(setting -> !setting.startsWith("spark.boltshuffle."))
                .distinct()
                .toList();

        assertThat(settings)
                .hasSizeGreaterThan(12)
                .allSatisfy(setting -> assertThat(ConfigEntry$.MODULE$.findEntry(setting))
                        .as(setting)
                        .isNotNull());
    }
}
