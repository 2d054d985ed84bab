package io.boltshuffle.proof.bench.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * CPU seconds per GB of blocks, both ends together.
 *
 * @param netty by Spark's client
 * @param send by boltshuffle over cables that send
 * @param origin the source of the figures
 */
public record CpuCosts(double netty, double send, String origin) {
    private static final int BLOCK_BYTES = 1 << 20;

    /**
     * Reads the output of {@code bolt bench fetch --json}: the medians for blocks of 1 MiB over sending cables, beside
     * Spark as it comes over loopback.
     */
    public static CpuCosts ofFetchReport(Path json) {
        try {
            return parse(new ObjectMapper().readTree(json.toFile()), json.toString());
        } catch (IOException e) {
            throw BoltException.usage("cannot read " + json + ": " + e.getMessage());
        }
    }

    static CpuCosts parse(JsonNode report, String origin) {
        List<JsonNode> points = new ArrayList<>();
        report.path("points").forEach(point -> {
            if (point.path("blockBytes").asInt() == BLOCK_BYTES
                    && point.path("cables").asText().equals("send")
                    && point.path("path").asText("loopback").equals("loopback")
                    && point.path("baseline").asText("default").equals("default")) {
                points.add(point);
            }
        });
        if (points.isEmpty()) {
            throw BoltException.failed(origin + " has no figures for blocks of 1 MiB over sending cables beside Netty "
                    + "as it comes over loopback");
        }
        return new CpuCosts(mean(points, "stock"), mean(points, "boltshuffle"), origin);
    }

    double of(NetworkKind fabric) {
        return fabric.netty() ? netty : send;
    }

    private static double mean(List<JsonNode> points, String route) {
        return points.stream()
                .mapToDouble(point -> point.path(route)
                        .path("cpuSecondsPerGigabyte")
                        .path("median")
                        .asDouble())
                .average()
                .orElseThrow();
    }
}
