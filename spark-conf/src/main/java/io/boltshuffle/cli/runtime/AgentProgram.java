package io.boltshuffle.cli.runtime;

import io.boltshuffle.client.AgentClassPath;
import io.boltshuffle.client.AgentJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The node agent as a program: the plugin, and the jars of Spark that it needs. */
public record AgentProgram(String classPath) {
    private static final String MAIN_CLASS = "io.boltshuffle.agent.AgentMain";

    /**
     * Returns the program that users run.
     *
     * @param pluginJar has the agent's classes
     */
    public static AgentProgram of(SparkRuntime runtime, Path pluginJar) {
        String others = neededJars(runtime)
                .map(jars -> jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)))
                .orElse(runtime.jars() + "/*");
        return new AgentProgram(pluginJar + File.pathSeparator + others);
    }

    /**
     * Returns a process that is ready to start.
     *
     * @param jvmOptions besides those that every agent has
     * @param arguments as the agent's main class takes them
     */
    public ProcessBuilder prepare(List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(SparkRuntime.java().toString()));
        command.addAll(AgentJvm.OPTIONS);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, MAIN_CLASS));
        command.addAll(arguments);
        return AgentJvm.process(command);
    }

    private static Optional<Set<Path>> neededJars(SparkRuntime runtime) {
        try (Stream<Path> jars = Files.list(runtime.jars())) {
            List<URL> urls = new ArrayList<>();
            for (Path jar : jars.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList()) {
                urls.add(jar.toUri().toURL());
            }
            try (URLClassLoader spark = new URLClassLoader(urls.toArray(URL[]::new), null)) {
                return AgentClassPath.jars(spark);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
