package io.boltshuffle.cli.localcluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/** Counts what the agents of a cluster have fetched from each other since they started. */
public final class CarriedBytes {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    private CarriedBytes() {}

    /** Returns the sum over all agents below {@code root}; empty if one of them does not answer. */
    public static OptionalLong byRdma(Path root) {
        long bytes = 0;
        try {
            for (MeetingPlace place : MeetingPlace.existing(root)) {
                bytes += JSON.readTree(AgentInquiry.status(place, PATIENCE))
                        .at("/counters/fetchedBytes")
                        .asLong();
            }
            return OptionalLong.of(bytes);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an agent's status is not JSON", e);
        } catch (IOException e) {
            return OptionalLong.empty(); // its process is shown as ended, or the agent's own verb says more
        }
    }
}
