package io.boltshuffle.integration;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** An application that runs one job after the other until its process is ended. */
final class EndlessDriver {

    private EndlessDriver() {}

    /** @param directory without files of another such driver */
    static Process start(SparkConf conf, Path directory) throws IOException {
        return new ProcessBuilder(command(settingsFile(conf, directory), directory))
                .redirectErrorStream(true)
                .redirectOutput(said(directory).toFile())
                .start();
    }

    /** Returns the file to which it writes what it says. */
    static Path said(Path directory) {
        return directory.resolve("driver-said");
    }

    private static Path settingsFile(SparkConf conf, Path directory) throws IOException {
        Properties properties = new Properties();
        for (Tuple2<String, String> setting : conf.getAll()) {
            properties.setProperty(setting._1(), setting._2());
        }
        Path file = directory.resolve("driver-settings");
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
        return file;
    }

    private static List<String> command(Path settings, Path directory) {
        List<String> command = new ArrayList<>(java(directory));
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), EndlessDriver.class.getName(), settings.toString()));
        return command;
    }

    /** Returns the first words of a command for a driver: Java, with the options of this JVM that Spark needs. */
    static List<String> java(Path temporary) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-opens"))
                .forEach(command::add);
        command.add("-Djava.io.tmpdir=" + temporary);
        return command;
    }

    /** @param args a file of Spark's settings */
    public static void main(String[] args) throws Exception {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(Path.of(args[0]))) {
            properties.load(in);
        }
        SparkConf conf = new SparkConf(false);
        properties.stringPropertyNames().forEach(key -> conf.set(key, properties.getProperty(key)));
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
            CountingJob job = new CountingJob(context, 20_000, 12);
            while (job.run().equals(job.expected())) {
                // Until this process is ended.
            }
            throw new IllegalStateException("a wrong answer");
        }
    }
}
