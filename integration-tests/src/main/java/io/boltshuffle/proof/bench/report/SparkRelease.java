package io.boltshuffle.proof.bench.report;

import java.util.Set;

/** Names a release of Spark, with what makes it no fair match. */
public final class SparkRelease {
    /**
     * On Linux and macOS they send blocks by EPOLL or KQUEUE unless told otherwise, and copy them on the way
     * (SPARK-56279); releases before them and after them have the kernel send files.
     */
    private static final Set<String> WITHOUT_SENDFILE = Set.of("4.1.0", "4.1.1");

    private SparkRelease() {}

    /** Returns the name with the patch version. */
    public static String described(String release) {
        return "Spark " + release
                + (WITHOUT_SENDFILE.contains(release)
                        ? " (sends without sendfile as it comes; 4.1.2 is a fairer match)"
                        : "");
    }
}
