package io.boltshuffle.rdma.link;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The parts from which a link is built.
 *
 * @param device stays open until the link has ended
 * @param scratch memory for calibration, best 16 MiB; the link holds it until it ends, and never has more than half as
 *     much under way at once, because that is what it measured
 * @param channel to the peer's link
 * @param history of this cable, kept by the owner across links
 * @param checksums where large messages are checked, or null for the poller itself: best while one core keeps up with
 *     the cable, since no message then changes hands
 * @param random for session and sequence numbers; secure in production
 */
public record LinkParts(
        LinkDevice device,
        RegisteredRange scratch,
        OutOfBand channel,
        LinkListener listener,
        LinkOptions options,
        CalibrationHistory history,
        @Nullable Executor checksums,
        RandomGenerator random) {}
