package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.job.ManagerChoice;
import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkRuntime;
import io.boltshuffle.proof.conformance.inspark.SuiteFiles;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Builds the command line of a suite's JVM: ScalaTest's runner on Spark's jars and test jars, as Spark's own build
 * starts it.
 *
 * @param spark a runtime with suites
 * @param home an empty directory in the shape that Spark's tests expect of a checkout; see {@link #makeHome}
 * @param conf settings of the plugin for what is not stock
 * @param manager of what is not stock
 */
record SuiteJvm(
        SparkRuntime spark, Installation installation, Path home, Map<String, String> conf, ManagerChoice manager) {

    private static final String RUNNER = "org.scalatest.tools.Runner";
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /**
     * Makes what Spark's tests expect around them: a directory that says for which Scala they were built, and the files
     * that they open, such as keys and certificates, which are at the root of the jars.
     */
    static void makeHome(Path home, SparkRuntime spark) {
        try (Stream<Path> jars = Files.list(spark.jars())) {
            Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
            Path resources = Files.createDirectories(resources(home));
            for (Path jar : jars.filter(SuiteJvm::isOfTests).toList()) {
                unpackRoot(jar, resources);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfTests(Path jar) {
        return jar.toString().endsWith("-tests.jar");
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

    /** Returns the process, ready to start; its output goes to {@code log}. */
    ProcessBuilder prepare(Suite suite, TestChoice tests, SuiteVariant variant, SuiteDirectory directory) {
        List<String> command = new ArrayList<>(List.of(SparkRuntime.java().toString(), "-ea", "-Xmx4g", "-Xss4m"));
        command.addAll(launcherOptions());
        // Mockito would attach itself from another process, which times out on a slow machine.
        command.add("-javaagent:" + jar("mockito-core-"));
        command.addAll(List.of(
                "-Dspark.testing=1",
                "-Dspark.test.home=" + home,
                "-Dspark.ui.enabled=false",
                "-Dspark.unsafe.exceptionOnMemoryLeak=true",
                // Spark's shells do the same. With isolation, executors ask the driver for every class that generated
                // code may mean.
                "-Dspark.sql.artifact.isolation.enabled=false"));
        if (variant != SuiteVariant.STOCK) {
            command.addAll(pluginProperties());
        }
        command.addAll(List.of("-cp", classPath()));
        command.addAll(List.of(RUNNER, "-s", suite.className()));
        command.addAll(tests.arguments());
        command.addAll(List.of("-oDFW", "-u", directory.reports().toString()));
        ProcessBuilder process = new ProcessBuilder(command)
                .directory(directory.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.log().toFile());
        environment(process.environment(), variant.agentArgument(suite, manager), directory);
        return process;
    }

    /**
     * Returns the options that Spark's launcher gives to Spark's own programs: packages of java.base that it opens for
     * them, and switches of libraries. They differ between Spark lines.
     */
    private List<String> launcherOptions() {
        URI jar = jar("spark-launcher_").toUri();
        try (URLClassLoader launcher = new URLClassLoader(new URL[] {jar.toURL()}, null)) {
            Object options = launcher.loadClass("org.apache.spark.launcher.JavaModuleOptions")
                    .getMethod("defaultModuleOptions")
                    .invoke(null);
            return BLANKS.splitAsStream(options.toString()).toList();
        } catch (IOException | ReflectiveOperationException e) {
            throw BoltException.failed(jar + " does not tell how Spark starts Java: " + e);
        }
    }

    /**
     * Returns what a suite's configurations read. What is not of shuffles needs the plugin itself, whose class is not
     * named where only the manager is wanted.
     */
    private List<String> pluginProperties() {
        if (conf.isEmpty()) {
            return List.of();
        }
        return Stream.concat(
                        Stream.of("-D" + PluginFlags.PLUGINS + "=" + PluginFlags.PLUGIN_CLASS),
                        conf.entrySet().stream()
                                .map(setting -> "-D" + setting.getKey() + "=" + setting.getValue())
                                .sorted())
                .toList();
    }

    /** Sets the environment. Executors inherit it together with the agent, so the agent is not on the command line. */
    private void environment(Map<String, String> environment, String agentArgument, SuiteDirectory directory) {
        environment.putAll(spark.environment());
        environment.remove("SPARK_HOME"); // with it, executors would start from there, without the test jars
        environment.put("SPARK_TESTING", "1");
        environment.put("SPARK_DIST_CLASSPATH", classPath());
        environment.put("SPARK_LOCAL_IP", "127.0.0.1");
        environment.put(
                "JAVA_TOOL_OPTIONS",
                Stream.of(
                                "-javaagent:"
                                        + Installation.jarOf("io.boltshuffle.proof.conformance.inspark.SuiteAgent")
                                        + "=" + agentArgument,
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
                    .filter(file -> !isOfTests(file))
                    .findFirst()
                    .orElseThrow(() -> BoltException.environment(
                            "there is no " + prefix + "*.jar in " + spark.jars(), "remove " + spark.home()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
