package io.boltshuffle.cli.conformance;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.conformance.SuiteFiles;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The command line of a suite's JVM: ScalaTest's runner on Spark's jars and test jars, as Spark's own build starts it.
 *
 * @param spark a runtime with suites
 * @param home an empty directory in the shape that Spark's tests expect of a checkout; see {@link #makeHome}
 */
record SuiteJvm(SparkRuntime spark, Installation installation, Path home) {

    private static final String RUNNER = "org.scalatest.tools.Runner";

    /** Packages of java.base that Spark reaches into on JDK 17 and later. Spark's launcher adds them for its own programs only. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "jdk.internal.ref",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.security.action",
            "sun.util.calendar");

    /**
     * Makes what Spark's tests expect around them: a directory that tells which Scala they were built for, and as files what
     * they open as files, such as keys and certificates, which lies at the root of the jars.
     */
    static void makeHome(Path home, SparkRuntime spark) {
        try (Stream<Path> jars = Files.list(spark.jars())) {
            Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
            Path resources = Files.createDirectories(resources(home));
            for (Path jar :
                    jars.filter(path -> path.toString().endsWith("-tests.jar")).toList()) {
                unpackRoot(jar, resources);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unpackRoot(Path jar, Path into) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (!entry.isDirectory() && entry.getName().indexOf('/') < 0) {
                    try (InputStream content = zip.getInputStream(entry)) {
                        Files.copy(content, into.resolve(entry.getName()), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    private static Path resources(Path home) {
        return home.resolve("resources");
    }

    /** The process, ready to start; what it prints goes to {@code log}. */
    ProcessBuilder prepare(Suite suite, SuiteVariant variant, SuiteDirectory directory) {
        List<String> command = new ArrayList<>(
                List.of(SparkRuntime.java().toString(), "-ea", "-Xmx4g", "-Xss4m", "-XX:+IgnoreUnrecognizedVMOptions"));
        // Mockito would attach itself from a process of its own, which a slow machine gives up on.
        command.add("-javaagent:" + jar("mockito-core-"));
        command.addAll(List.of(
                "--add-modules=jdk.incubator.vector", "--add-opens=java.security.jgss/sun.security.krb5=ALL-UNNAMED"));
        OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        command.addAll(List.of(
                "-Dspark.testing=1",
                "-Dspark.test.home=" + home,
                "-Dspark.ui.enabled=false",
                "-Dspark.unsafe.exceptionOnMemoryLeak=true",
                // As Spark's shells have it. With it, executors ask the driver for each class that generated code might
                // mean.
                "-Dspark.sql.artifact.isolation.enabled=false",
                "-cp",
                classPath()));
        command.addAll(List.of(
                RUNNER,
                "-s",
                suite.className(),
                "-oDFW",
                "-u",
                directory.reports().toString()));
        ProcessBuilder process = new ProcessBuilder(command)
                .directory(directory.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.log().toFile());
        environment(process.environment(), variant.agentArgument(suite), directory);
        return process;
    }

    /** Executors inherit it, and with it the agent, which is why the agent is not on the command line. */
    private void environment(Map<String, String> environment, String agentArgument, SuiteDirectory directory) {
        environment.putAll(spark.environment());
        environment.remove("SPARK_HOME"); // with it, executors would start from there, without the test jars
        environment.put("SPARK_TESTING", "1");
        environment.put("SPARK_DIST_CLASSPATH", classPath());
        environment.put("SPARK_LOCAL_IP", "127.0.0.1");
        environment.put(
                "JAVA_TOOL_OPTIONS",
                Stream.of(
                                "-javaagent:" + installation.examplesJar() + "=" + agentArgument,
                                "-D" + SuiteFiles.SETTINGS + "=" + directory.settings(),
                                "-D" + SuiteFiles.TALLIES + "=" + directory.tallies(),
                                "-Djava.io.tmpdir=" + directory.temporary())
                        .map(option -> '"' + option + '"') // paths have spaces
                        .collect(Collectors.joining(" ")));
    }

    private String classPath() {
        try (Stream<Path> jars = Files.list(spark.jars())) {
            return Stream.concat(Stream.of(installation.pluginJar(), resources(home)), jars.sorted())
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path jar(String prefix) {
        try (Stream<Path> jars = Files.list(spark.jars())) {
            return jars.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .findFirst()
                    .orElseThrow(() -> BoltException.environment(
                            "there is no " + prefix + "*.jar in " + spark.jars(), "remove " + spark.home()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
