package io.boltshuffle.proof.conformance.inspark;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.xbean.asm9.ClassReader;
import org.apache.xbean.asm9.ClassWriter;
import org.jspecify.annotations.Nullable;

/**
 * The Java agent of a suite's JVM and of the executors it starts. Its argument is {@link #TWO_HOSTS}, {@link #OURS}
 * or {@link #PLUGIN_ALONE}, two of them with a comma between them, or nothing.
 *
 * <p>Spark's suites name the shuffle manager {@code sort} themselves, or build a configuration that reads no
 * properties, so that a setting from outside does not reach them. All workers of a {@code local-cluster} share one
 * host, where executors read each other's files, and the session that suites of SQL share has no workers at all. The
 * agent changes that in a few classes of Spark, by the same few instructions on every line.
 */
public final class SuiteAgent implements ClassFileTransformer {

    /** Workers of a {@code local-cluster} take turns on two hosts, and SQL's session runs on such a cluster. */
    public static final String TWO_HOSTS = "twoHosts";

    /** The plugin's manager takes the place of Spark's. */
    public static final String OURS = "ours";

    /** Spark's manager stays, and its shuffles are the plugin's to carry. */
    public static final String PLUGIN_ALONE = "pluginAlone";

    /** The patches, by the word that asks for them and by the name of the class that each changes. */
    private static final Map<String, Map<String, ClassPatch>> PATCHES = Map.of(
            TWO_HOSTS,
            Map.of(
                    "org/apache/spark/deploy/worker/Worker$", ParameterPatch::workerHost,
                    "org/apache/spark/SparkContext", ParameterPatch::sqlMaster),
            OURS,
            // Up to 3.5 the first class resolves the manager's short names, from 4.0 on the second.
            Map.of(
                    "org/apache/spark/SparkEnv$", ShuffleManagerPatch::ours,
                    "org/apache/spark/shuffle/ShuffleManager$", ShuffleManagerPatch::ours),
            PLUGIN_ALONE,
            Map.of(
                    "org/apache/spark/SparkEnv$", ShuffleManagerPatch::stock,
                    "org/apache/spark/shuffle/ShuffleManager$", ShuffleManagerPatch::stock,
                    "org/apache/spark/internal/plugin/PluginContainer$", PluginPatch::new));

    private final Map<String, ClassPatch> patches;

    private SuiteAgent(Map<String, ClassPatch> patches) {
        this.patches = patches;
    }

    /** The JVM calls this before it loads the main class. */
    public static void premain(@Nullable String argument, Instrumentation instrumentation) {
        instrumentation.addTransformer(new SuiteAgent(patches(argument == null ? "" : argument)));
    }

    /** Returns the patches by the name of the class that each changes. */
    static Map<String, ClassPatch> patches(String argument) {
        Map<String, ClassPatch> patches = new HashMap<>();
        for (String word : argument.isEmpty() ? List.<String>of() : List.of(argument.split(",", -1))) {
            Map<String, ClassPatch> chosen = PATCHES.get(word);
            if (chosen == null) {
                throw new IllegalArgumentException("not a word of this agent's argument: '" + word + "'");
            }
            patches.putAll(chosen);
        }
        return patches;
    }

    /** The JVM calls this for each class; null leaves the class as it is. */
    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        ClassPatch patch = patches.get(className);
        return patch == null ? null : apply(patch, classFile);
    }

    static byte[] apply(ClassPatch patch, byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(patch.over(writer), 0);
        return writer.toByteArray();
    }
}
