package io.boltshuffle.cli.savings.model;

import io.boltshuffle.cli.savings.log.StageSums;

/**
 * The savings of a stage.
 *
 * @param fetchSeconds of the tasks' wait for blocks, all tasks together
 * @param writeSeconds of the tasks' writing
 * @param fileSeconds of opening, copying and removing temporary files, beside the tasks' writing
 * @param rowSeconds of encoding and copying rows of SQL, here and in the stages that read them
 * @param jobSeconds of the time that the job takes; at most nothing where the log names no executor
 */
public record StageEstimate(
        StageSums stage,
        Range fetchSeconds,
        Range writeSeconds,
        Range fileSeconds,
        Range rowSeconds,
        Range jobSeconds) {

    /** Returns what all tasks would save together, in seconds. */
    public Range taskSeconds() {
        return fetchSeconds.plus(writeSeconds).plus(fileSeconds).plus(rowSeconds);
    }
}
