package io.boltshuffle.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.client.AgentInquiry;
import io.boltshuffle.wire.MeetingPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks whether agents have got back the memory that executors had. */
public final class AgentLedgers {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(20);

    /** The last executors of an application may still be ending, and agents notice that by their sockets. */
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private static final long POLL_MILLIS = 200;

    private static final List<String> HELD = List.of("stagedBytes", "pinnedBytes", "quarantinedBytes");

    private final Path root;

    /** @param root the directory of the agents' sockets */
    public AgentLedgers(Path root) {
        this.root = root;
    }

    /**
     * Waits until no agent holds anything for an executor. Returns one line for each that still does, or does not
     * answer.
     */
    public List<String> unsettled() {
        long deadlineNanos = System.nanoTime() + SETTLING.toNanos();
        while (true) {
            List<String> complaints = complaints();
            if (complaints.isEmpty() || System.nanoTime() - deadlineNanos > 0) {
                return complaints;
            }
            pause();
        }
    }

    private List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        try {
            for (MeetingPlace place : MeetingPlace.existing(root)) {
                complaint(place).ifPresent(complaints::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return complaints;
    }

    private static Optional<String> complaint(MeetingPlace place) {
        try {
            JsonNode status = JSON.readTree(AgentInquiry.status(place, ANSWER));
            JsonNode memory = status.path("memory");
            return HELD.stream()
                    .filter(name -> memory.path(name).asLong(-1) != 0)
                    .map(name -> "the agent of " + status.path("host").asText() + " has " + name + " "
                            + memory.path(name).asText("unknown"))
                    .findFirst();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an agent's status is not JSON", e);
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BoltException.failed("interrupted");
        }
    }
}
