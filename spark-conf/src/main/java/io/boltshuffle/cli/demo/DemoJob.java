package io.boltshuffle.cli.demo;

/** The demo's jobs. */
public enum DemoJob {
    TERASORT("terasort"),
    FEATURE_PREP("feature-prep"),
    SALES_WALK("sales-walk");

    private final String label;

    DemoJob(String label) {
        this.label = label;
    }

    /** Returns the name as the command line has it. */
    @Override
    public String toString() {
        return label;
    }
}
