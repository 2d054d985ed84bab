package io.boltshuffle.spark.fetch;

import org.slf4j.Logger;

/** Logs what must not keep the caller from going on, because a task waits for what the caller does next. */
final class DefectLog {
    private DefectLog() {}

    /** Logs a defect, unless there is no memory left to do so. */
    static void error(Logger log, String what, Throwable cause) {
        try {
            log.error(what, cause);
        } catch (RuntimeException | Error e) {
            // Nothing can be said any more; the block that failed for the same reason is told of it.
        }
    }
}
