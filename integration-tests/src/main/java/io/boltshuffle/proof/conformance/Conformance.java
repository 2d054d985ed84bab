package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Console;
import io.boltshuffle.cli.base.Installation;
import io.boltshuffle.cli.base.Teardown;
import io.boltshuffle.cli.cluster.AgentLedgers;
import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.cli.cluster.Cabling;
import io.boltshuffle.cli.cluster.ClusterFabric;
import io.boltshuffle.cli.cluster.LoopbackHosts;
import io.boltshuffle.cli.cluster.NodeAgents;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.job.ManagerChoice;
import io.boltshuffle.cli.runtime.AgentProgram;
import io.boltshuffle.cli.runtime.PluginFlags;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs one Spark line's suites, one after the other, each with every variant. */
final class Conformance {

    private static final List<String> HOSTS = List.of("127.0.0.2", "127.0.0.3");

    private final Plan plan;
    private final Installation installation;
    private final Console console;
    private final Optional<Path> kept;

    /**
     * @param tests of each suite
     * @param ours variants other than stock
     * @param stockAlways false: stock runs only tests that fail or are skipped with the plugin
     * @param conf settings of the plugin, for agents and for what is not stock; with one, Spark starts the plugin
     *     itself, too, and not its shuffle manager alone
     * @param manager of what is not stock: the plugin's, or Spark's with the plugin alone
     * @param emulator the virtual Thunderbolt, for {@link SuiteVariant#RDMA}
     * @param deadline of one run of one suite
     */
    record Plan(
            List<Suite> suites,
            TestChoice tests,
            List<SuiteVariant> ours,
            boolean stockAlways,
            Map<String, String> conf,
            ManagerChoice manager,
            CableKind cables,
            Path emulator,
            Duration deadline) {}

    /** @param kept the folder in which results stay; empty for none */
    Conformance(Plan plan, Installation installation, Console console, Optional<Path> kept) {
        this.plan = plan;
        this.installation = installation;
        this.console = console;
        this.kept = kept;
    }

    /** @param spark a runtime with suites */
    List<SuiteResult> run(SparkRuntime spark, RunDirectory run, Teardown teardown) {
        List<Suite> suites = SuiteCatalogue.presentIn(spark, plan.suites());
        if (suites.isEmpty()) {
            throw BoltException.failed("Spark " + spark.release() + " has none of these suites");
        }
        ResultFolder folder = new ResultFolder(kept.orElseGet(() -> run.directory("results")));
        for (Path directory : List.of(run.root(), folder.root().toAbsolutePath())) {
            if (directory.toString().contains(" ")) {
                throw BoltException.usage("Spark's own suites fail in a directory whose path has a space: " + directory
                        + "; give another --work-dir or --results");
            }
        }
        Path home = run.directory("home");
        SuiteJvm.makeHome(home, spark);
        SuiteRunner runner = new SuiteRunner(
                new SuiteJvm(spark, installation, home, plan.conf(), plan.manager()),
                plan.deadline(),
                console,
                teardown);
        Map<String, String> agents =
                plan.ours().contains(SuiteVariant.RDMA) ? startAgents(spark, run, teardown) : Map.of();
        Map<SuiteVariant, Map<String, String>> settings = Map.of(
                SuiteVariant.STOCK, Map.of(),
                SuiteVariant.TCP, withPlugin(Map.of("spark.boltshuffle.agent.autoStart", "false")),
                SuiteVariant.RDMA, withPlugin(agents));
        Explanations explanations = Explanations.shipped();
        SuiteComparison comparison = new SuiteComparison(
                plan.tests(),
                plan.ours(),
                plan.stockAlways(),
                (result, difference) -> explanations.reason(result, difference).isPresent());
        List<SuiteResult> results = new ArrayList<>();
        for (Suite suite : suites) {
            console.line("Spark " + spark.release() + ", suite " + (results.size() + 1) + " of " + suites.size() + ": "
                    + suite.shortName());
            SuiteResult result = comparison.compare(
                    spark.release(),
                    suite,
                    (variant, tests) -> runner.run(
                            suite,
                            tests,
                            variant,
                            folder.create(spark.release(), suite, variant, settings.getOrDefault(variant, Map.of()))));
            List<String> leaks = leaks(suite, agents);
            folder.addLeaks(spark.release(), suite, leaks);
            results.add(new SuiteResult(result.release(), suite, result.variants(), leaks));
        }
        return results;
    }

    private Map<String, String> withPlugin(Map<String, String> settings) {
        Map<String, String> complete = new HashMap<>(settings);
        if (plan.manager() == ManagerChoice.STOCK) {
            complete.put(PluginFlags.PLUGINS, PluginFlags.PLUGIN_CLASS);
        }
        return complete;
    }

    /** Returns what agents have not got back after a suite. */
    private static List<String> leaks(Suite suite, Map<String, String> agents) {
        if (agents.isEmpty()) {
            return List.of();
        }
        return new AgentLedgers(Path.of(agents.getOrDefault("spark.boltshuffle.agent.directory", "")))
                .unsettled().stream()
                        .map(complaint -> "after " + suite.shortName() + ": " + complaint)
                        .toList();
    }

    private Map<String, String> startAgents(SparkRuntime spark, RunDirectory run, Teardown teardown) {
        NodeAgents.Parts parts =
                new NodeAgents.Parts(AgentProgram.of(spark, installation.pluginJar()), plan.conf(), Map.of());
        ClusterFabric fabric = ClusterFabric.virtual(plan.emulator(), new Cabling(plan.cables(), 1));
        return NodeAgents.start(parts, fabric, new LoopbackHosts(HOSTS), run, teardown)
                .settings();
    }
}
