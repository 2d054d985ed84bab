package io.boltshuffle.cli.up;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.URI;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The page of a standalone master, as far as it is read.
 *
 * @param workers those that are alive
 */
record MasterPage(List<Worker> workers) {
    private static final int PATIENCE_MILLIS = 3_000;

    /** A living worker. */
    record Worker(String host, int cores, long memoryMebibytes) {}

    /** Asks a master; empty if it does not answer. */
    static Optional<MasterPage> at(String uiUrl) {
        try {
            // A proxy of the user's does not know these machines.
            URLConnection page = URI.create(uiUrl + "/json/").toURL().openConnection(Proxy.NO_PROXY);
            page.setConnectTimeout(PATIENCE_MILLIS);
            page.setReadTimeout(PATIENCE_MILLIS);
            try (InputStream in = page.getInputStream()) {
                return Optional.of(of(new ObjectMapper().readTree(in)));
            }
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static MasterPage of(JsonNode json) {
        List<Worker> workers = new ArrayList<>();
        for (JsonNode worker : json.path("workers")) {
            if (worker.path("state").asText().equals("ALIVE")) {
                workers.add(new Worker(
                        worker.path("host").asText(),
                        worker.path("cores").asInt(),
                        worker.path("memory").asLong()));
            }
        }
        return new MasterPage(workers);
    }

    boolean hasWorkerAt(String address) {
        return workers.stream().anyMatch(worker -> worker.host().equals(address));
    }
}
