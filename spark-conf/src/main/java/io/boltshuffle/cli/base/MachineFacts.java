package io.boltshuffle.cli.base;

/**
 * The machine that a report comes from, as its JVM sees it.
 *
 * @param system such as {@code Mac OS X 26.3}
 * @param architecture such as {@code aarch64}
 * @param java version and vendor
 */
public record MachineFacts(String system, String architecture, int cores, String java) {

    public static MachineFacts current() {
        return new MachineFacts(
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.runtime.version") + ", " + System.getProperty("java.vendor"));
    }
}
