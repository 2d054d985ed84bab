package io.boltshuffle.conformance;

import scala.Option;

/** Which host a worker of a {@code local-cluster} runs on: there are two, and workers take turns. */
public final class SuiteHosts {

    private static final int HOSTS = 2;
    private static final int FIRST = 2;

    private SuiteHosts() {}

    /**
     * Called by the patched {@code Worker}.
     *
     * @param given the host it was told
     * @param workerNumber 1 and up in a {@code local-cluster}; none for a worker of any other kind
     */
    public static String hostOf(String given, Option<Object> workerNumber) {
        return workerNumber.isEmpty() ? given : "127.0.0." + (FIRST + ((Integer) workerNumber.get() - 1) % HOSTS);
    }
}
