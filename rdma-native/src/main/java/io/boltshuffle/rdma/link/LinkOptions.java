package io.boltshuffle.rdma.link;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The options of a link.
 *
 * @param mode how bytes move; both ends must use the same
 * @param depthFrames queue depth asked for, each direction
 * @param candidates what calibration tries, in this order
 * @param calibration time for measuring, both directions together
 * @param setup time until the link is connected, calibration not included
 * @param stall longest time without a completion while work is posted
 * @param control longest time a verbs control call may take
 * @param maxTransfers transfers at once, and offers at once
 * @param summed whether each message is checked by its CRC32C, end to end; both ends must do the same
 * @param interfaceAddresses addresses of the network interface that the device belongs to: they decide which GID is
 *     used
 */
public record LinkOptions(
        LinkMode mode,
        int depthFrames,
        List<Candidate> candidates,
        Duration calibration,
        Duration setup,
        Duration stall,
        Duration control,
        int maxTransfers,
        boolean summed,
        Set<InetAddress> interfaceAddresses) {

    private static final int KIB = 1024;

    /** The deepest queue that Thunderbolt grants. */
    private static final int MOST_FRAMES = 4095;

    private static final int[] MESSAGE_KIB = {128, 64, 1024, 256, 512, 32, 16, 4};

    public LinkOptions {
        candidates = List.copyOf(candidates);
        interfaceAddresses = Set.copyOf(interfaceAddresses);
        if (depthFrames < 1 || maxTransfers < 1 || candidates.isEmpty()) {
            throw new IllegalArgumentException("depth, transfers and candidates must be at least one each");
        }
        if (mode == LinkMode.SEND && !summed) {
            throw new IllegalArgumentException("nothing but the checksums shows what was lost in send mode");
        }
    }

    /** Defaults: see each component for what it bounds. */
    public static LinkOptions defaults(LinkMode mode) {
        return new LinkOptions(
                mode,
                MOST_FRAMES,
                defaultCandidates(),
                Duration.ofMillis(300),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                4096,
                true,
                Set.of());
    }

    /** Likely good ones first, because time may run out: 4 KiB to 1 MiB, each with a deep and a shallow window. */
    private static List<Candidate> defaultCandidates() {
        List<Candidate> candidates = new ArrayList<>();
        for (int windowKib : new int[] {8192, 2048}) {
            for (int messageKib : MESSAGE_KIB) {
                candidates.add(new Candidate(messageKib * KIB, windowKib * KIB));
            }
        }
        return candidates;
    }

    public LinkOptions withCandidates(List<Candidate> those, Duration time) {
        return new LinkOptions(
                mode, depthFrames, those, time, setup, stall, control, maxTransfers, summed, interfaceAddresses);
    }

    public LinkOptions withTimeouts(Duration setupTime, Duration stallTime, Duration controlTime) {
        return new LinkOptions(
                mode,
                depthFrames,
                candidates,
                calibration,
                setupTime,
                stallTime,
                controlTime,
                maxTransfers,
                summed,
                interfaceAddresses);
    }

    /**
     * Returns these options with all deadlines multiplied by {@code factor}, for a machine that is slower by that
     * factor than those for which the deadlines were chosen.
     */
    public LinkOptions withDeadlinesTimes(int factor) {
        return withTimeouts(setup.multipliedBy(factor), stall.multipliedBy(factor), control.multipliedBy(factor));
    }

    public LinkOptions withInterfaceAddresses(Set<InetAddress> addresses) {
        return new LinkOptions(
                mode, depthFrames, candidates, calibration, setup, stall, control, maxTransfers, summed, addresses);
    }

    /**
     * Returns these options without checksums, for read mode: its hardware checks every packet and repeats damaged
     * ones.
     */
    public LinkOptions withoutSums() {
        return new LinkOptions(
                mode,
                depthFrames,
                candidates,
                calibration,
                setup,
                stall,
                control,
                maxTransfers,
                false,
                interfaceAddresses);
    }
}
