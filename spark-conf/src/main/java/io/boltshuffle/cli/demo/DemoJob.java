package io.boltshuffle.cli.demo;

/** Which of the demo's jobs to run. */
public enum DemoJob {
    ALL("all"),
    TERASORT("terasort"),
    FEATURE_PREP("feature-prep");

    private final String label;

    DemoJob(String label) {
        this.label = label;
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return label;
    }
}
