package io.boltshuffle.proof.bench.report;

import io.boltshuffle.cli.base.Report;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes a machine and its load during a measurement, without which the figures mean little.
 *
 * @param load processes that wanted to run, averaged over the last minute; negative if it is unknown
 */
public record MachineState(
        Instant at, String system, String processor, int cores, long memoryBytes, String java, double load) {

    public static MachineState now() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new MachineState(
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                system.getName() + " " + system.getVersion() + " " + system.getArch(),
                describedProcessor(),
                system.getAvailableProcessors(),
                system.getTotalMemorySize(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                system.getSystemLoadAverage());
    }

    private static String describedProcessor() {
        try {
            return modelName(Files.readAllLines(Path.of("/proc/cpuinfo")));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /** Reads the text of {@code /proc/cpuinfo}. */
    static String modelName(List<String> cpuinfo) {
        return cpuinfo.stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }

    /** Returns the state in one line, for people. */
    public String toText() {
        return String.format(
                "%s: %d cores of %s, %.0f GiB, %s, %s, load %.2f",
                at, cores, processor, memoryBytes / (double) (1 << 30), system, java, load);
    }

    /** Tells a report how the machine was when what it tells of began and ended. */
    public static void tell(MachineState before, MachineState after, Report report) {
        report.heading("Machine")
                .line("before: " + before.toText())
                .line("after:  " + after.toText())
                .figure("before", before.toJson())
                .figure("after", after.toJson());
    }

    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("at", at.toString());
        json.put("system", system);
        json.put("processor", processor);
        json.put("cores", cores);
        json.put("memoryBytes", memoryBytes);
        json.put("java", java);
        json.put("load", load);
        return json;
    }
}
