package io.boltshuffle.conformance;

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
 * The Java agent of a suite's JVM and of the executors it starts. Its argument is {@link #TWO_HOSTS}, {@link #OURS}, both
 * with a comma between them, or nothing.
 *
 * <p>Spark's suites name the shuffle manager {@code sort} themselves, or build a configuration that reads no properties; a
 * setting from outside does not reach them. And all workers of a {@code local-cluster} share one host, where executors read
 * each other's files. The agent changes both in two classes of Spark, by the same few instructions on every line.
 */
public final class SuiteAgent implements ClassFileTransformer {

    /** Workers of a {@code local-cluster} take turns on two hosts. */
    public static final String TWO_HOSTS = "twoHosts";

    /** Our manager takes the place of Spark's. */
    public static final String OURS = "ours";

    /** The manager's short names are resolved in {@code SparkEnv} up to 3.5 and in {@code ShuffleManager} from 4.0 on. */
    private static final Map<String, List<String>> CLASSES = Map.of(
            TWO_HOSTS, List.of("org/apache/spark/deploy/worker/Worker$"),
            OURS, List.of("org/apache/spark/SparkEnv$", "org/apache/spark/shuffle/ShuffleManager$"));

    private static final Map<String, ClassPatch> PATCHES =
            Map.of(TWO_HOSTS, WorkerHostPatch::new, OURS, ShuffleManagerPatch::new);

    private final Map<String, ClassPatch> patches;

    private SuiteAgent(Map<String, ClassPatch> patches) {
        this.patches = patches;
    }

    /** Called by the JVM, before the main class is loaded. */
    public static void premain(@Nullable String argument, Instrumentation instrumentation) {
        instrumentation.addTransformer(new SuiteAgent(patches(argument == null ? "" : argument)));
    }

    /** By the name of the class that each is for. */
    static Map<String, ClassPatch> patches(String argument) {
        Map<String, ClassPatch> patches = new HashMap<>();
        for (String word : argument.isEmpty() ? List.<String>of() : List.of(argument.split(",", -1))) {
            ClassPatch patch = PATCHES.get(word);
            if (patch == null) {
                throw new IllegalArgumentException("not a word of this agent's argument: '" + word + "'");
            }
            CLASSES.getOrDefault(word, List.of()).forEach(name -> patches.put(name, patch));
        }
        return patches;
    }

    /** Called by the JVM for each class; null leaves it as it is. */
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
