package io.boltshuffle.conf;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.testing.GoldenFile;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {

    @Test
    void theConfigurationPageSaysWhatTheOptionsSay() throws IOException {
        GoldenFile.assertUpToDate("docs/configuration.md", page(), ConfigurationPageTest.class);
    }

    @Test
    void everyOptionIsDocumentedAndItsDefaultIsLegal() {
        assertThat(Options.all()).isNotEmpty().allSatisfy(option -> {
            assertThat(option.doc()).endsWith(".");
            assertThat(option.since()).matches("\\d+\\.\\d+\\.\\d+");
            assertThat(option.parse(option.defaultText())).isEqualTo(option.defaultValue());
        });
    }

    @Test
    void noKeyIsDeclaredTwice() {
        assertThat(Options.all()).extracting(Option::key).doesNotHaveDuplicates();
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Configuration

                <!-- Generated from io.boltshuffle.conf.Options; ConfigurationPageTest rewrites it. -->

                Options are set like Spark's own: `--conf key=value`, or in `spark-defaults.conf`. They are read once, at
                start-up; an illegal value stops the application with one line that names key, value and limits. A key
                with our prefix that is not listed here is warned of, with the nearest one that is.

                | Option | Default | Values | Since | Meaning |
                | --- | --- | --- | --- | --- |
                """);
        for (Option<?> option : Options.all()) {
            String defaultText = option.defaultText().isEmpty() ? "(none)" : "`" + option.defaultText() + "`";
            page.append("| `%s` | %s | %s | %s | %s |%n"
                    .formatted(option.key(), defaultText, option.type().limits(), option.since(), option.doc()));
        }
        return page.toString();
    }
}
