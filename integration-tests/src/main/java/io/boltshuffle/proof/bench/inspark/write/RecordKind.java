package io.boltshuffle.proof.bench.inspark.write;

import java.util.Locale;

/** The kind of a shuffle's records, which decides how they are serialized. */
public enum RecordKind {
    /** Rows of Spark SQL, which are bytes already. */
    SQL("rows"),
    /** Objects of an RDD, which Kryo serializes. */
    KRYO("Kryo objects");

    private final String title;

    RecordKind(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Returns the name as the command line has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
