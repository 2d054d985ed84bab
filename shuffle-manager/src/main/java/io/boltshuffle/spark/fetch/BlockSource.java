package io.boltshuffle.spark.fetch;

/**
 * Names the server of the blocks of a fetch, in Spark's terms.
 *
 * @param host as Spark names it; routes are kept by host
 * @param port of the executor's block server, or of the external shuffle service
 * @param execId the executor that wrote the blocks, which may have ended
 */
record BlockSource(String host, int port, String execId) {}
