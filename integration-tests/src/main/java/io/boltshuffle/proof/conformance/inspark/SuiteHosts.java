package io.boltshuffle.proof.conformance.inspark;

import scala.Option;

/**
 * Chooses the hosts of a suite's executors: there are two, and workers of a {@code local-cluster} take turns on them.
 */
public final class SuiteHosts {

    private static final int HOSTS = 2;
    private static final int FIRST = 2;

    /** Spark's name for the application of the session that suites of SQL share; its master is {@code local[2]}. */
    private static final String SQL_APPLICATION = "test-sql-context";

    /** This cluster has as many cores, but an executor on each host. */
    private static final String CLUSTER = "local-cluster[" + HOSTS + ",1,1024]";

    private SuiteHosts() {}

    /**
     * The patched {@code Worker} calls this.
     *
     * @param given the host it was told
     * @param workerNumber 1 and up in a {@code local-cluster}; none for a worker of any other kind
     */
    public static String hostOf(String given, Option<Object> workerNumber) {
        return workerNumber.isEmpty() ? given : "127.0.0." + (FIRST + ((Integer) workerNumber.get() - 1) % HOSTS);
    }

    /**
     * The patched {@code SparkContext} calls this.
     *
     * @param given the master it was told
     */
    public static String masterOf(String given, String application) {
        return application.equals(SQL_APPLICATION) ? CLUSTER : given;
    }
}
