package io.boltshuffle.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every executor loads the plugin's jar, so it carries only what executors and agents run. */
@Tag("slow")
class PluginJarTest {

    private final UnpackedBolt bolt;

    PluginJarTest(@TempDir Path directory) throws IOException {
        this.bolt = UnpackedBolt.in(directory);
    }

    @Test
    void itHoldsNothingThatOnlyTheCommandOrAProofRuns() throws IOException {
        assertThat(entries("boltshuffle-spark"))
                .contains("io/boltshuffle/spark/BoltShuffleManager.class", "io/boltshuffle/agent/AgentMain.class")
                .noneMatch(name -> name.matches(
                        "(?i).*(/verify/|/ladder/|bench|/proof/|/cli/|abi_?(audit|table|report)|jmdns).*"));
    }

    /** It talks by multicast, which no executor does. */
    @Test
    void theArchiveHasTheLibraryForMulticastDnsBesideThePlugin() throws IOException {
        assertThat(entries("jmdns-")).contains("javax/jmdns/JmDNS.class");
    }

    @Test
    void theCommandHoldsTheLadder() throws IOException {
        assertThat(entries("boltshuffle-cli")).contains("io/boltshuffle/cli/verify/ladder/Ladder.class");
    }

    private List<String> entries(String jar) throws IOException {
        try (JarFile file = new JarFile(bolt.jar(jar).toFile())) {
            return file.stream().map(ZipEntry::getName).toList();
        }
    }
}
