package io.boltshuffle.cli.verify.ladder;

import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.topology.mac.ThunderboltDevices;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a climb.
 *
 * @param device name, or null for the only one with an active port
 * @param port from 1
 * @param mode null for what suits the port best; both hosts must come to the same
 * @param interfaceAddresses of the device's network interface, if known
 * @param messageSizes what the checked stream tries, in bytes, multiples of 4096
 * @param pingPongRounds round trips measured, fewer if they take long
 * @param streamTime how long the sustained stream runs in each direction
 * @param patience longest wait for the peer on one rung, as scaled
 * @param slabBytes shared memory this host takes, from {@link #LEAST_SLAB_BYTES}; with less than {@link
 *     #USUAL_SLAB_BYTES} the stream moves smaller parts at a time
 * @param deadlineScale how many times as long as usual this host waits for anything, {@code patience} included; for
 *     slow machines, 1 for others
 * @param thunderbolt what macOS says of the devices' ports; none elsewhere
 */
public record LadderOptions(
        @Nullable String device,
        int port,
        @Nullable LinkMode mode,
        Set<InetAddress> interfaceAddresses,
        List<Integer> messageSizes,
        int pingPongRounds,
        Duration streamTime,
        Duration patience,
        long slabBytes,
        int deadlineScale,
        ThunderboltDevices thunderbolt) {

    /** Room for the stream at full size. */
    public static final long USUAL_SLAB_BYTES = 80L << 20;

    public static final long LEAST_SLAB_BYTES = 20L << 20;

    public LadderOptions {
        interfaceAddresses = Set.copyOf(interfaceAddresses);
        messageSizes = List.copyOf(messageSizes);
        if (deadlineScale < 1) {
            throw new IllegalArgumentException("deadlines cannot be " + deadlineScale + " times as long");
        }
        patience = patience.multipliedBy(deadlineScale);
        if (messageSizes.isEmpty() || pingPongRounds < 1) {
            throw new IllegalArgumentException("at least one message size and one round trip is needed");
        }
        if (slabBytes < LEAST_SLAB_BYTES) {
            throw new IllegalArgumentException(slabBytes + " bytes are too small a slab");
        }
    }

    /** Port 1, message sizes from 4 KiB to 1 MiB, ten thousand round trips, three seconds of stream each way. */
    public static LadderOptions of(@Nullable String device) {
        List<Integer> sizes = List.of(4 << 10, 16 << 10, 64 << 10, 128 << 10, 256 << 10, 1 << 20);
        return new LadderOptions(
                device,
                1,
                null,
                Set.of(),
                sizes,
                10_000,
                Duration.ofSeconds(3),
                Duration.ofSeconds(30),
                USUAL_SLAB_BYTES,
                1,
                ThunderboltDevices.NONE);
    }
}
