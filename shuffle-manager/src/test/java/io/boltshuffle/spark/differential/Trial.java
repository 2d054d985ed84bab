package io.boltshuffle.spark.differential;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;

/**
 * Says what both shuffles are to write and read, with what settings, and what happens on the way.
 *
 * @param site the settings of the Spark in which it happens
 * @param maps how many map tasks write
 * @param rowChecksums whether the shuffle has Spark's checksums of rows
 * @param ranges in how many ranges of partitions the outputs are read
 * @param batch whether a reader may fetch neighbouring blocks as one
 * @param choices all that was drawn, by the names of the dimensions
 */
record Trial(
        Site site,
        Input input,
        SerializerChoice serializer,
        TrialPartitioner partitioner,
        int maps,
        boolean rowChecksums,
        Pressure pressure,
        Fault fault,
        int ranges,
        boolean batch,
        Map<String, String> choices) {
    /** So many seeds in a row share a site, because starting Spark takes longer than a trial. */
    static final int OF_A_SITE = 8;

    /** The part of its memory that other operators of the task hold, from before the first record on. */
    enum Pressure {
        NONE,
        ALL_BUT_A_PAGE,
        ALL_BUT_SOME_KIB,
        ALL,
        /** The operators hold all, and give it back when they are asked. */
        ALL_UNTIL_ASKED;

        private static final long PAGE_BYTES = 1 << 20;
        private static final long SOME_BYTES = 64 << 10;

        /** Takes the memory; the result gives it back. */
        Runnable begin(TaskContext task) {
            if (this == NONE) {
                return () -> {};
            }
            Operator operator = new Operator(task, this == ALL_UNTIL_ASKED);
            operator.acquireMemory(Long.MAX_VALUE >> 1);
            long left = switch (this) {
                case ALL_BUT_A_PAGE -> PAGE_BYTES;
                case ALL_BUT_SOME_KIB -> SOME_BYTES;
                default -> 0;
            };
            operator.freeMemory(Math.min(left, operator.getUsed()));
            return () -> operator.freeMemory(operator.getUsed());
        }
    }

    private static final class Operator extends MemoryConsumer {
        private final boolean yields;

        Operator(TaskContext task, boolean yields) {
            super(task.taskMemoryManager(), task.taskMemoryManager().pageSizeBytes(), MemoryMode.ON_HEAP);
            this.yields = yields;
        }

        @Override
        public long spill(long size, MemoryConsumer trigger) {
            long given = yields && trigger != this ? Math.min(size, getUsed()) : 0;
            freeMemory(given);
            return given;
        }
    }

    /** Draws the trial of a seed. */
    static Trial ofSeed(long seed, Coverage coverage) {
        Drawing ofSite = Drawing.ofSeed(~Math.floorDiv(seed, OF_A_SITE), coverage);
        return draw(ofSite, Drawing.ofSeed(seed, coverage));
    }

    /** Reads the trial that a line describes. */
    static Trial of(Map<String, String> choices) {
        Drawing drawing = Drawing.of(choices);
        return draw(drawing, drawing);
    }

    /** Reads the trial that a person wrote down, who may not name what the trial has no choice of. */
    static Trial ofLine(String line) {
        Drawing drawing = Drawing.of(Drawing.parse(line));
        Trial trial = draw(drawing, drawing);
        drawing.requireAllUsed();
        return trial;
    }

    private static Trial draw(Drawing ofSite, Drawing drawing) {
        Site site = Site.draw(ofSite);
        Input input = Input.draw(drawing);
        SerializerChoice serializer = SerializerChoice.draw(drawing, input);
        TrialPartitioner partitioner = TrialPartitioner.draw(drawing);
        int maps = drawing.oneOf("maps", 1, 1, 2);
        boolean rowChecksums = drawing.oneOf("rowChecksums", false, false, true);
        Pressure pressure = drawing.oneOf(
                "pressure",
                Pressure.NONE,
                Pressure.NONE,
                Pressure.NONE,
                Pressure.ALL_BUT_A_PAGE,
                Pressure.ALL_BUT_SOME_KIB,
                Pressure.ALL,
                Pressure.ALL_UNTIL_ASKED);
        Fault fault = Fault.draw(drawing);
        int ranges = drawing.oneOf("ranges", 1, 3, 40);
        boolean batch = drawing.flag("batch");
        Map<String, String> choices = new LinkedHashMap<>(ofSite.made());
        choices.putAll(drawing.made());
        return new Trial(
                site, input, serializer, partitioner, maps, rowChecksums, pressure, fault, ranges, batch, choices);
    }

    /** Returns how many choices of this trial make a task fail, each for itself. */
    long thingsThatFail() {
        return Stream.of(
                        fault.fails(),
                        !partitioner.manner().isRight(),
                        serializer.fails(),
                        serializer.isWrongAboutItself(),
                        site.refusesBlockSize())
                .filter(fails -> fails)
                .count();
    }

    /** Returns the line that describes the trial. */
    @Override
    public String toString() {
        return Drawing.line(choices);
    }
}
