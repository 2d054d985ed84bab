package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.cli.job.ShuffleVariant;
import java.util.Map;

/** A job of the demo: its input, the job itself, and the check of its outputs. */
interface Workload {
    String name();

    /** Returns the job that makes the input, which needs no cluster. Workloads that name the same input share it. */
    JobSpec input();

    /** Returns the job. It writes where no other variant writes. */
    JobSpec job(ShuffleVariant variant, Map<String, String> settings);

    /** Returns the check, which succeeds only if the outputs of both variants are right. It needs no cluster. */
    JobSpec check();
}
