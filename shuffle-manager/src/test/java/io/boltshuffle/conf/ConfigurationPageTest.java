package io.boltshuffle.conf;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.testing.GoldenFile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
    /** The options of the page's first table. */
    private static final List<Option<?>> USUAL = List.of(
            Options.ENABLED,
            Options.AGENT_SLAB,
            Options.AGENT_AUTO_START,
            Options.ALLOW_CLEARTEXT,
            Options.AGENT_SECRET_FILE,
            Options.AGENT_TOPOLOGY_FILE);

    @Test
    void theConfigurationPageSaysWhatTheOptionsSay() throws IOException {
        GoldenFile.assertUpToDate("docs/configuration.md", page(), ConfigurationPageTest.class);
    }

    @Test
    void everyOptionIsDocumentedAndItsDefaultIsLegal() {
        assertThat(Options.all()).isNotEmpty().allSatisfy(option -> {
            assertThat(option.doc()).endsWith(".");
            assertThat(option.since()).matches("\\d+\\.\\d+\\.\\d+");
            assertThat(option.parse(defaultText(option))).isEqualTo(option.defaultValue());
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

                Look up here what each option does, its default and its limits. Set options as you set Spark's own: with
                `--conf key=value`, or in `spark-defaults.conf`. The plugin reads them once, at start-up. An illegal
                value stops the application with a line that names key, value and limits; for an unknown key with its
                prefix the plugin warns and names the nearest one.

                Set `spark.plugins=io.boltshuffle.spark.BoltShufflePlugin`, which carries the shuffles of whatever
                shuffle manager you have, or `spark.shuffle.manager=io.boltshuffle.spark.BoltShuffleManager`, which also
                writes, or both. A host's agent takes options under `agent.` from the first executor that starts it: set
                them alike in every application, or run the agent yourself ([operations](operations.md#the-node-agent)).

                ## What is usually set first

                See [operations](operations.md#how-large-a-slab) for how large `agent.slab` should be.

                """);
        table(page, USUAL);
        page.append("""

                ## Everything else

                """);
        table(
                page,
                Options.all().stream().filter(option -> !USUAL.contains(option)).toList());
        return page.toString();
    }

    private static void table(StringBuilder page, List<Option<?>> options) {
        page.append("""
                | Option | Default | Values | Since | Meaning |
                | --- | --- | --- | --- | --- |
                """);
        for (Option<?> option : options) {
            String text = defaultText(option);
            String shown = text.isEmpty() ? "(none)" : "`" + text + "`";
            page.append("| `%s` | %s | %s | %s | %s |%n"
                    .formatted(option.key(), shown, option.type().limits(), option.since(), option.doc()));
        }
    }

    /** Returns the default as a person would write it. */
    private static <T> String defaultText(Option<T> option) {
        return option.type().format(option.defaultValue());
    }
}
