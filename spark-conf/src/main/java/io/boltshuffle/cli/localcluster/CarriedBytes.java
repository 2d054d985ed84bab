package io.boltshuffle.cli.localcluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Counts what the agents of a cluster have fetched from each other since they started. */
public final class CarriedBytes {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    private CarriedBytes() {}

    /** Returns the sum over all agents below {@code root}; empty if one of them does not answer. */
    static OptionalLong byRdma(Path root) {
        return byRdma(root, place -> true);
    }

    /** Returns what the agent of one host below {@code root} has fetched; empty if it does not answer. */
    public static OptionalLong byRdma(Path root, String host) {
        return byRdma(root, place -> place.isOf(host));
    }

    private static OptionalLong byRdma(Path root, Predicate<MeetingPlace> wanted) {
        long bytes = 0;
        try {
            for (MeetingPlace place :
                    MeetingPlace.existing(root).stream().filter(wanted).toList()) {
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
