package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.FallbackReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Says which blocks of one fetch go by RDMA and which by Netty, and why. All blocks start as candidates for RDMA;
 * policies refuse some of them.
 *
 * <p><b>Invariant:</b> every block id is either a candidate, or refused with the reason of the first policy that
 * refused it.
 *
 * <p><b>Threads:</b> confined to the thread that fetches.
 */
final class FetchPlan {
    private final String host;
    private final List<String> candidates;
    private final Map<FallbackReason, List<String>> refused = new EnumMap<>(FallbackReason.class);
    private Optional<FallbackReason> hostRefusal = Optional.empty();

    FetchPlan(String host, List<String> blockIds) {
        this.host = host;
        this.candidates = new ArrayList<>(blockIds);
    }

    /** Returns the host that has the blocks. */
    String host() {
        return host;
    }

    /** Returns the blocks that go by RDMA unless a policy refuses them. */
    List<String> candidates() {
        return Collections.unmodifiableList(candidates);
    }

    /** Returns the blocks that go by Netty. */
    Map<FallbackReason, List<String>> refused() {
        return Collections.unmodifiableMap(refused);
    }

    /** Returns why nothing at all may come from the host by RDMA, or empty if no policy refused the host. */
    Optional<FallbackReason> hostRefusal() {
        return hostRefusal;
    }

    /** Refuses all remaining candidates, because of the host and not because of the blocks. */
    void refuseAll(FallbackReason reason) {
        hostRefusal = Optional.of(reason);
        refuse(reason, blockId -> true);
    }

    /** Refuses single blocks. */
    void refuse(FallbackReason reason, Predicate<String> blocks) {
        candidates.removeIf(blockId -> {
            boolean isRefused = blocks.test(blockId);
            if (isRefused) {
                refused.computeIfAbsent(reason, key -> new ArrayList<>()).add(blockId);
            }
            return isRefused;
        });
    }
}
