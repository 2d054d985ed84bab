package io.boltshuffle.cli.bench.compare;

import io.boltshuffle.bench.PieceSample;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import java.util.OptionalDouble;

/**
 * A piece of an application, measured once.
 *
 * @param title what it is compared under
 * @param rdmaShare of the whole application's bytes from other hosts; empty for stock Spark
 */
public record Measured(String title, ShuffleVariant variant, PieceSample sample, OptionalDouble rdmaShare) {}
