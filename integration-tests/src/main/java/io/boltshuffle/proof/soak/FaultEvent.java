package io.boltshuffle.proof.soak;

/**
 * A fault that struck.
 *
 * @param atSeconds since the faults began
 * @param seconds until it was mended
 */
record FaultEvent(Fault fault, double atSeconds, double seconds) {}
