package io.boltshuffle.proof.bench.network;

import java.util.Arrays;
import java.util.Optional;

/**
 * A network that carries Spark's own traffic between Macs, with the rate of each host's port and the source of that
 * rate.
 */
enum DeskNetwork {
    GIGABIT("1g", "1 GbE", 1, "the line rate"),
    GIGABIT_2_5("2.5g", "2.5 GbE", 2.5, "the line rate"),
    GIGABIT_10("10g", "10 GbE", 10, "the line rate"),
    BRIDGE("bridge", "TCP over the Thunderbolt bridge", 40, "40 Gbit/s, the higher figure seen; weak source");

    private final String word;
    private final String title;
    private final double gigabitsPerSecond;
    private final String source;

    DeskNetwork(String word, String title, double gigabitsPerSecond, String source) {
        this.word = word;
        this.title = title;
        this.gigabitsPerSecond = gigabitsPerSecond;
        this.source = source;
    }

    static Optional<DeskNetwork> of(String word) {
        return Arrays.stream(values())
                .filter(network -> network.word.equals(word))
                .findFirst();
    }

    String title() {
        return title;
    }

    Bandwidth bandwidth() {
        return Bandwidth.ofGigabits(gigabitsPerSecond);
    }

    String source() {
        return source;
    }

    /** Returns the word of the command line. */
    @Override
    public String toString() {
        return word;
    }
}
