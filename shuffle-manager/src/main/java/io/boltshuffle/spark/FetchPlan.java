package io.boltshuffle.spark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which blocks of one fetch go by RDMA and which by Netty, and why. All blocks start as candidates for RDMA; policies
 * take them away.
 *
 * <p><b>Invariant:</b> every block id is either a candidate or refused for one reason: the first policy to refuse it.
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

    /** The host that the blocks are on. */
    String host() {
        return host;
    }

    /** What goes by RDMA unless a policy refuses it. */
    List<String> candidates() {
        return Collections.unmodifiableList(candidates);
    }

    /** What goes by Netty. */
    Map<FallbackReason, List<String>> refused() {
        return Collections.unmodifiableMap(refused);
    }

    /** Why nothing at all may come from the host by RDMA; empty if nobody has said so. */
    Optional<FallbackReason> hostRefusal() {
        return hostRefusal;
    }

    /** Refuses whatever is left, because of the host and not because of the blocks. */
    void refuseAll(FallbackReason reason) {
        hostRefusal = Optional.of(reason);
        refuse(reason, blockId -> true);
    }

    /** Refuses single blocks. */
    void refuse(FallbackReason reason, Predicate<String> blocks) {
        for (Iterator<String> iterator = candidates.iterator(); iterator.hasNext(); ) {
            String blockId = iterator.next();
            if (blocks.test(blockId)) {
                iterator.remove();
                refused.computeIfAbsent(reason, key -> new ArrayList<>()).add(blockId);
            }
        }
    }
}
