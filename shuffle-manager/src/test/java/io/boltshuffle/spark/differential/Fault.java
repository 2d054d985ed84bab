package io.boltshuffle.spark.differential;

import java.io.IOException;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.unsafe.Platform;
import scala.Product2;

/**
 * A fault that happens to a map task while it writes.
 *
 * @param percent of the records that come before it
 */
record Fault(Kind kind, int percent) {
    enum Kind {
        NONE,
        INPUT_FAILS,
        INPUT_FAILS_CHECKED,
        INPUT_FAILS_BY_ERROR,
        /** Spark kills the task, and the input ends as those of Spark's operators do. */
        KILLED,
        /** Spark kills the task, and the interrupt strikes the next thing that is done with a file. */
        INTERRUPTED,
        /** From here on no file can be created. */
        DIRECTORY_GONE
    }

    static Fault draw(Drawing drawing) {
        boolean any = drawing.oneOf("faulty", false, false, false, true);
        Kind kind = any ? drawing.oneOf("fault", Kind.values()) : Kind.NONE;
        return new Fault(kind, kind == Kind.NONE ? 0 : drawing.oneOf("faultAtPercent", 0, 1, 50, 99, 100));
    }

    /** Returns whether a task that this befalls fails. */
    boolean fails() {
        return kind != Kind.NONE;
    }

    /**
     * Returns whether a task that this befalls may end well: an interrupt is noticed only by some of what is done to
     * files.
     */
    boolean isInterrupt() {
        return kind == Kind.INTERRUPTED;
    }

    /** Returns the records, among which it happens. */
    Iterator<Product2<Object, Object>> in(
            Iterator<Product2<Object, Object>> records, int count, TaskContext task, LocalDirectories directories) {
        int at = (int) ((long) count * percent / 100);
        return new Iterator<>() {
            private int index;
            private boolean happened;

            @Override
            public boolean hasNext() {
                if (index == at && !happened) {
                    happened = true;
                    happen(task, directories);
                }
                if (kind == Kind.KILLED) {
                    task.killTaskIfInterrupted();
                }
                return records.hasNext();
            }

            @Override
            public Product2<Object, Object> next() {
                index++;
                return records.next();
            }
        };
    }

    private void happen(TaskContext task, LocalDirectories directories) {
        switch (kind) {
            case NONE -> {}
            case INPUT_FAILS -> throw new IllegalStateException("the input fails");
            case INPUT_FAILS_CHECKED -> Platform.throwException(new IOException("the input fails"));
            case INPUT_FAILS_BY_ERROR -> throw new NoClassDefFoundError("the input fails");
            case KILLED -> task.markInterrupted("killed by a trial");
            case INTERRUPTED -> interrupt(task);
            case DIRECTORY_GONE -> directories.hide();
        }
    }

    private static void interrupt(TaskContext task) {
        task.markInterrupted("killed by a trial");
        Thread.currentThread().interrupt();
    }
}
