package io.boltshuffle.conformance;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import org.apache.xbean.asm9.ClassReader;
import org.apache.xbean.asm9.ClassWriter;
import org.jspecify.annotations.Nullable;

/**
 * The Java agent of a suite's JVM and of the executors it starts. Its argument is {@link #STOCK} or {@link #OURS}.
 *
 * <p>Spark's suites name the shuffle manager {@code sort} themselves, or build a configuration that reads no properties; a
 * setting from outside does not reach them. And all workers of a {@code local-cluster} share one host, where executors read
 * each other's files. The agent changes both in two classes of Spark, by the same few instructions on every line.
 */
public final class SuiteAgent implements ClassFileTransformer {

    /** Spark's manager stays; only the hosts differ. */
    public static final String STOCK = "stock";

    /** Our manager takes the place of Spark's. */
    public static final String OURS = "ours";

    private static final ClassPatch HOSTS = WorkerHostPatch::new;
    private static final ClassPatch MANAGER = ShuffleManagerPatch::new;

    /** The manager's short names are resolved in {@code SparkEnv} up to 3.5 and in {@code ShuffleManager} from 4.0 on. */
    private static final Map<String, ClassPatch> OUR_PATCHES = Map.of(
            "org/apache/spark/deploy/worker/Worker$", HOSTS,
            "org/apache/spark/SparkEnv$", MANAGER,
            "org/apache/spark/shuffle/ShuffleManager$", MANAGER);

    private static final Map<String, ClassPatch> STOCK_PATCHES =
            Map.of("org/apache/spark/deploy/worker/Worker$", HOSTS);

    private final Map<String, ClassPatch> patches;

    private SuiteAgent(Map<String, ClassPatch> patches) {
        this.patches = patches;
    }

    /** Called by the JVM, before the main class is loaded. */
    public static void premain(String argument, Instrumentation instrumentation) {
        instrumentation.addTransformer(new SuiteAgent(
                switch (argument) {
                    case STOCK -> STOCK_PATCHES;
                    case OURS -> OUR_PATCHES;
                    default ->
                        throw new IllegalArgumentException("neither " + STOCK + " nor " + OURS + ": " + argument);
                }));
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
