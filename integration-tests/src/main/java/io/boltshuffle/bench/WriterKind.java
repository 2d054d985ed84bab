package io.boltshuffle.bench;

/** Who writes the map output. */
public enum WriterKind {
    /** Spark, as it comes: up to 200 partitions, a file for each. */
    STOCK("stock"),
    /** Spark, told to sort serialized rows whatever the number of partitions. */
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
