package io.boltshuffle.cli.joining;

import io.boltshuffle.cli.joining.JoinMessage.Grant;
import java.nio.file.Path;
import java.util.Map;

/**
 * The files and settings that the first machine gives to each that joins.
 *
 * @param pluginJar the file
 * @param jarSha256 of its bytes
 */
public record ClusterOffer(
        String masterUrl,
        String uiUrl,
        String spark,
        String executorMemory,
        Map<String, String> agentSettings,
        Map<String, String> settings,
        String secret,
        Path pluginJar,
        String jarSha256,
        long jarBytes) {

    Grant to(Member member) {
        return new Grant(
                member.id(),
                member.key(),
                masterUrl,
                uiUrl,
                spark,
                executorMemory,
                agentSettings,
                settings,
                secret,
                pluginJar.getFileName().toString(),
                jarSha256,
                jarBytes);
    }

    @Override
    public String toString() {
        return "ClusterOffer[" + masterUrl + "]";
    }
}
