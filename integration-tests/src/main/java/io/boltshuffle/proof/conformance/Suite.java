package io.boltshuffle.proof.conformance;

/**
 * One of Spark's own suites.
 *
 * @param topic its subject, in a word or two
 * @param core whether it is among the few that stand for all
 * @param twoHosts whether its workers may have two hosts; false if it is about executors that share one
 */
public record Suite(String topic, boolean core, boolean twoHosts, String className) {

    String shortName() {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
