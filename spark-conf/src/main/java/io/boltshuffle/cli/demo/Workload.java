package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.JobSpec;
import io.boltshuffle.cli.cluster.ShuffleVariant;
import java.util.Map;

/** A job of the demo: its input, the job itself, and the check of its outputs. */
interface Workload {
    String name();

    /** Makes the input; needs no cluster. Workloads that name the same one share what it makes. */
    JobSpec input();

    /** The job, writing where no other variant writes. */
    JobSpec job(ShuffleVariant variant, Map<String, String> settings);

    /** Ends well only when the outputs of both variants are right; needs no cluster. */
    JobSpec check();
}
