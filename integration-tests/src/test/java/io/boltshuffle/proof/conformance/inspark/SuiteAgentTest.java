package io.boltshuffle.proof.conformance.inspark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.util.Objects;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import scala.Option;

/** The patches, on Spark's classes as they are. */
class SuiteAgentTest {

    @Test
    void sortMeansOurManager() throws Exception {
        Class<?> patched = load("org.apache.spark.shuffle.ShuffleManager$", ShuffleManagerPatch::ours);
        assertThat(managerNamed("sort", patched)).isEqualTo(SuiteShuffleManager.class.getName());
        assertThat(managerNamed("tungsten-sort", patched)).isEqualTo(SuiteShuffleManager.class.getName());
        assertThat(managerNamed("some.Other", patched)).isEqualTo("some.Other");
    }

    @Test
    void withThePluginAloneSortMeansSparksManagerAndItsContextGetsTheSettings() throws Exception {
        Class<?> patched = load("org.apache.spark.shuffle.ShuffleManager$", ShuffleManagerPatch::stock);
        assertThat(managerNamed("sort", patched)).isEqualTo(SuiteStockManager.class.getName());
        Class<?> plugins = load("org.apache.spark.internal.plugin.PluginContainer$", PluginPatch::new);
        assertThat(plugins.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals("apply"));
    }

    @Test
    void workersStillStartWithThePatchedCode() throws Exception {
        Class<?> patched = load("org.apache.spark.deploy.worker.Worker$", ParameterPatch::workerHost);
        assertThat(patched.getDeclaredMethods()) // resolving them verifies the class
                .anyMatch(method -> method.getName().equals("startRpcEnvAndEndpoint"));
    }

    @Test
    void numberedWorkersTakeTurnsOnTwoHosts() {
        assertThat(SuiteHosts.hostOf("here", Option.apply(1))).isEqualTo("127.0.0.2");
        assertThat(SuiteHosts.hostOf("here", Option.apply(2))).isEqualTo("127.0.0.3");
        assertThat(SuiteHosts.hostOf("here", Option.apply(3))).isEqualTo("127.0.0.2");
        assertThat(SuiteHosts.hostOf("here", Option.empty())).isEqualTo("here");
    }

    @Test
    void aContextStillStartsWithThePatchedCode() throws Exception {
        Class<?> patched = load("org.apache.spark.SparkContext", ParameterPatch::sqlMaster);
        assertThat(patched.getConstructor(String.class, String.class, SparkConf.class))
                .isNotNull();
    }

    @Test
    void theSessionOfSqlSuitesRunsOnACluster() {
        assertThat(SuiteHosts.masterOf("local[2]", "test-sql-context")).isEqualTo("local-cluster[2,1,1024]");
        assertThat(SuiteHosts.masterOf("local[2]", "test")).isEqualTo("local[2]");
    }

    @Test
    void theArgumentChoosesThePatches() {
        assertThat(SuiteAgent.patches("")).isEmpty();
        assertThat(SuiteAgent.patches(SuiteAgent.TWO_HOSTS))
                .containsOnlyKeys("org/apache/spark/deploy/worker/Worker$", "org/apache/spark/SparkContext");
        assertThat(SuiteAgent.patches(SuiteAgent.TWO_HOSTS + "," + SuiteAgent.OURS))
                .hasSize(4);
        assertThat(SuiteAgent.patches(SuiteAgent.TWO_HOSTS + "," + SuiteAgent.PLUGIN_ALONE))
                .hasSize(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SuiteAgent.patches("theirs"))
                .withMessageContaining("'theirs'");
    }

    private static String managerNamed(String name, Class<?> companion)
            throws NoSuchFieldException, IllegalAccessException, NoSuchMethodException, InvocationTargetException {
        Object module = companion.getField("MODULE$").get(null);
        SparkConf conf = new SparkConf(false).set("spark.shuffle.manager", name);
        return (String) companion
                .getMethod("getShuffleManagerClassName", SparkConf.class)
                .invoke(module, conf);
    }

    private static Class<?> load(String name, ClassPatch patch) throws ClassNotFoundException {
        return Class.forName(name, true, new Patching(name, patch));
    }

    /** Takes one class from the parent's class path and changes it; all others are the parent's. */
    private static final class Patching extends ClassLoader {
        private final String name;
        private final ClassPatch patch;

        Patching(String name, ClassPatch patch) {
            super(SuiteAgentTest.class.getClassLoader());
            this.name = name;
            this.patch = patch;
        }

        @Override
        protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
            if (!wanted.equals(name)) {
                return super.loadClass(wanted, resolve);
            }
            URL file = Objects.requireNonNull(getParent().getResource(name.replace('.', '/') + ".class"));
            try (InputStream stream = file.openStream()) {
                byte[] changed = SuiteAgent.apply(patch, stream.readAllBytes());
                return defineClass(name, changed, 0, changed.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
