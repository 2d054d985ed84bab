package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.fabric.Fabric.Pair;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Says which cable would help most. A shuffle sends equally much between any two hosts, so every pair without a cable
 * costs the same. The pair whose hosts lack most cables comes first, because that evens out how long hosts wait for
 * each other.
 */
public final class CableAdvice {

    private CableAdvice() {}

    /**
     * Returns one sentence for each pair without a cable that can have one, best first; or how to go on if none can.
     */
    public static List<String> of(Fabric fabric) {
        List<Pair> missing = fabric.pairsWithoutCable();
        List<String> advice = new ArrayList<>();
        missing.stream()
                .sorted(Comparator.comparingInt((Pair pair) -> -missingFor(pair, missing)))
                .forEach(pair -> addCable(fabric, pair).ifPresent(advice::add));
        if (advice.isEmpty() && !missing.isEmpty()) {
            advice.add(moveCable(fabric, missing.get(0))
                    .orElse("No port is free for a missing pair: these pairs stay on TCP, which is correct but "
                            + "slower."));
        }
        if (missing.isEmpty() && fabric.hosts().size() > 1) {
            secondCable(fabric).ifPresent(advice::add);
        }
        return advice;
    }

    private static int missingFor(Pair pair, List<Pair> missing) {
        return (int) missing.stream()
                .filter(other -> List.of(other.first(), other.second()).contains(pair.first())
                        || List.of(other.first(), other.second()).contains(pair.second()))
                .count();
    }

    private static Optional<String> addCable(Fabric fabric, Pair pair) {
        return freePorts(fabric, pair)
                .map(ports -> "A cable between " + ports + " moves the traffic of " + pair + " from TCP to RDMA.");
    }

    private static Optional<String> secondCable(Fabric fabric) {
        return fabric.pairs().stream()
                .sorted(Comparator.comparingInt(pair -> fabric.links(pair).size()))
                .flatMap(pair -> freePorts(fabric, pair).stream())
                .findFirst()
                .map(ports ->
                        "Every pair has a cable. One more, between " + ports + ", would add its speed to that pair.");
    }

    private static Optional<String> moveCable(Fabric fabric, Pair missing) {
        return fabric.pairs().stream()
                .filter(pair -> fabric.links(pair).size() > 1)
                .findFirst()
                .map(pair -> "No port is free, but " + pair + " have "
                        + fabric.links(pair).size()
                        + " cables: moving one so that it helps " + missing + " serves a shuffle better.");
    }

    private static Optional<String> freePorts(Fabric fabric, Pair pair) {
        return freePort(fabric, pair.first())
                .flatMap(near -> freePort(fabric, pair.second()).map(far -> near + " and " + far));
    }

    private static Optional<String> freePort(Fabric fabric, String name) {
        return fabric.hosts().stream()
                .filter(host -> host.host().equals(name))
                .flatMap(host -> fabric.freePorts(host).stream().map(port -> label(host, port.receptacle())))
                .findFirst();
    }

    private static String label(HostFacts host, int receptacle) {
        return host.host() + " port " + receptacle;
    }
}
