package io.boltshuffle.cli.runtime;

import io.boltshuffle.client.AgentJvm;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The node agent as a program: the plugin's jar, on the class path of a Spark.
 *
 * @param pluginJar has the agent's classes
 */
public record AgentProgram(SparkRuntime runtime, Path pluginJar) {
    private static final String MAIN_CLASS = "io.boltshuffle.agent.AgentMain";

    /**
     * A process ready to start.
     *
     * @param jvmOptions besides those that every agent has
     * @param arguments as the agent's main class takes them
     */
    public ProcessBuilder prepare(List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(SparkRuntime.java().toString()));
        command.addAll(AgentJvm.OPTIONS);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", pluginJar + File.pathSeparator + runtime.jars() + "/*", MAIN_CLASS));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }
}
