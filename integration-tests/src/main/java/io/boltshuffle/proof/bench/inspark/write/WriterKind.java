package io.boltshuffle.proof.bench.inspark.write;

/** The writer of the map output. */
public enum WriterKind {
    /** Spark's default writer: up to 200 partitions, a file for each. */
    STOCK("stock"),
    /** Spark's writer that sorts serialized rows, whatever the number of partitions. */
    SERIALIZED("stock, serialized"),
    /** The plugin's writer. */
    OURS("boltshuffle");

    private final String title;

    WriterKind(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
