package io.boltshuffle.integration.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/** The figures that {@code bolt demo --json} printed. */
record DemoFigures(List<JsonNode> runs) {

    static DemoFigures parse(String json) throws JsonProcessingException {
        List<JsonNode> runs = new ArrayList<>();
        new ObjectMapper().readTree(json).get("runs").forEach(runs::add);
        return new DemoFigures(runs);
    }

    List<JsonNode> withPlugin() {
        return runs.stream()
                .filter(run -> run.get("shuffle").asText().equals("boltshuffle"))
                .toList();
    }

    static long bytesByAllTransports(JsonNode run) {
        long bytes = 0;
        for (JsonNode transport : run.get("bytesByTransport")) {
            bytes += transport.asLong();
        }
        return bytes;
    }
}
