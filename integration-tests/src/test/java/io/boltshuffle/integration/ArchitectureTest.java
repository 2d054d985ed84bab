package io.boltshuffle.integration;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The house map: which package may name which. */
class ArchitectureTest {
    private static final String ROOT = "io.boltshuffle";
    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages(ROOT);

    private static final Owner OS = owner("os..");
    private static final Owner RDMA = owner("rdma");
    private static final Owner TRACE = owner("trace..");
    private static final Owner VERBS = owner("rdma.verbs..", OS, RDMA);
    private static final Owner MEMORY = owner("rdma.memory..", OS, RDMA);
    private static final Owner LINK = owner("rdma.link..", RDMA, MEMORY, TRACE);
    private static final Owner CONF = owner("conf..");
    private static final Owner DRAW = owner("draw..", CONF);
    private static final Owner TOPOLOGY = owner("topology..");
    private static final Owner WIRE = owner("wire..");
    private static final Owner LOOP = owner("loop..", WIRE);
    private static final Owner CLIENT = owner("client..", OS, WIRE, LOOP, CONF, TOPOLOGY, MEMORY, TRACE);
    private static final Owner AGENT =
            owner("agent..", OS, WIRE, LOOP, CONF, TOPOLOGY, RDMA, VERBS, MEMORY, LINK, TRACE);
    private static final Owner SPARK = owner("spark..", DRAW, CLIENT, WIRE, CONF);
    private static final Owner EXAMPLES = owner("examples..");
    private static final Owner QUERIES_IN_SPARK = owner("proof.queries.inspark..");
    private static final Owner BENCH_IN_SPARK = owner("proof.bench..inspark..", EXAMPLES, QUERIES_IN_SPARK, SPARK);
    private static final Owner CONFORMANCE_IN_SPARK = owner("proof.conformance.inspark..", SPARK);
    private static final Owner SOAK_IN_SPARK = owner("proof.soak.inspark..", EXAMPLES);
    private static final Owner CLI =
            owner("cli..", OS, DRAW, EXAMPLES, AGENT, CLIENT, WIRE, CONF, TOPOLOGY, RDMA, VERBS, MEMORY, LINK);
    private static final Owner PROOF =
            owner("proof..", OS, DRAW, CLI, EXAMPLES, SPARK, CLIENT, WIRE, CONF, RDMA, MEMORY, LINK, TRACE);

    private static final List<Owner> OWNERS = List.of(
            OS,
            RDMA,
            TRACE,
            VERBS,
            MEMORY,
            LINK,
            CONF,
            DRAW,
            TOPOLOGY,
            WIRE,
            LOOP,
            CLIENT,
            AGENT,
            SPARK,
            EXAMPLES,
            BENCH_IN_SPARK,
            CONFORMANCE_IN_SPARK,
            QUERIES_IN_SPARK,
            SOAK_IN_SPARK,
            CLI,
            PROOF);

    /** Packages of one owner, and the owners that they may name. */
    private record Owner(String packages, List<Owner> mayName) {}

    private static Owner owner(String packages, Owner... mayName) {
        return new Owner(ROOT + "." + packages, List.of(mayName));
    }

    static List<Named<Owner>> owners() {
        return OWNERS.stream().map(owner -> Named.of(owner.packages(), owner)).toList();
    }

    @ParameterizedTest
    @MethodSource("owners")
    void anOwnerNamesOnlyThoseItMay(Owner owner) {
        String[] allowed = Stream.concat(Stream.of(owner), owner.mayName().stream())
                .map(Owner::packages)
                .toArray(String[]::new);

        classes()
                .that(resideInAPackage(owner.packages()))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed).or(resideOutsideOfPackage(ROOT + "..")))
                .check(PRODUCTION);
    }

    /**
     * Session, peer, below it fetch and serve, which do not know each other, then files and cable, which do not either,
     * below files the blocks of living processes, and below all of them what all use.
     */
    @ParameterizedTest
    @CsvSource({
        "agent.session, agent.peer agent.fetch agent.files agent.live agent.cable agent.base",
        "agent.peer, agent.fetch agent.serve agent.files agent.cable agent.base",
        "agent.fetch, agent.cable agent.base",
        "agent.serve, agent.files agent.live agent.cable agent.base",
        "agent.files, agent.live agent.base",
        "agent.live, ''",
        "agent.cable, agent.base",
        "agent.base, ''",
        "agent.watch, ''"
    })
    void roomsOfTheAgentPointOneWay(String room, String below) {
        String[] allowed = Stream.concat(
                        Stream.of(room), Stream.of(below.split(" ")).filter(name -> !name.isEmpty()))
                .map(name -> ROOT + "." + name)
                .toArray(String[]::new);

        classes()
                .that()
                .resideInAPackage(ROOT + "." + room)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed).or(resideOutsideOfPackage(AGENT.packages())))
                .check(PRODUCTION);
    }

    /** The roof is what Spark loads and what that starts; a room that named it would be above and below it. */
    @Test
    void roomsOfSparksSideDoNotNameTheRoof() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".spark.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + ".spark")
                .check(PRODUCTION);
    }

    /** A reader follows a fetch, or a pull, downwards: a class tells those above it through a listener of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"agent.fetch", "agent.serve"})
    void classesOfThisRoomPointOneWay(String room) {
        SliceAssignment classes = new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass owned) {
                String name = owned.getName().replaceFirst("\\$.*", "");
                return owned.getPackageName().equals(ROOT + "." + room)
                        ? SliceIdentifier.of(name)
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "classes of " + room;
            }
        };

        slices().assignedFrom(classes).should().beFreeOfCycles().check(PRODUCTION);
    }

    @Test
    void everyClassHasAnOwner() {
        String[] owned = OWNERS.stream().map(Owner::packages).toArray(String[]::new);

        classes().should().resideInAnyPackage(owned).check(PRODUCTION);
    }

    /** The contract of a link first, and on top what joins the rooms and runs a link. */
    @Test
    void aRoomOfALinkNamesOnlyTheRoomsBeforeIt() {
        List<String> rooms = Stream.of("", ".protocol", ".move", ".setup", ".engine")
                .map(room -> ROOT + ".rdma.link" + room)
                .toList();
        for (int room = 0; room < rooms.size() - 1; room++) {
            noClasses()
                    .that()
                    .resideInAPackage(rooms.get(room))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(rooms.subList(room + 1, rooms.size()).toArray(String[]::new))
                    .check(PRODUCTION);
        }
        assertThat(PRODUCTION.stream().map(JavaClass::getPackageName).filter(name -> name.startsWith(rooms.get(0))))
                .isSubsetOf(rooms);
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(PRODUCTION);
    }

    @Test
    void jnaIsNamedOnlyByVerbsAndTheMappingOfTheSlab() {
        noClasses()
                .that()
                .resideOutsideOfPackage(VERBS.packages())
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.sun.jna..")
                .check(without(ROOT + ".rdma.memory.NativeMapping"));
    }

    /** It reads what any machine of the network sends. The join server, which knows all secrets, must not do that. */
    @Test
    void multicastDnsIsNamedOnlyByWhatFindsAndAnnounces() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".cli.nearby")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("javax.jmdns..")
                .check(PRODUCTION);
    }

    @Test
    void sparkIsNamedOnlyByItsSideWhatRunsInItAndTheAgentsBlockSource() {
        noClasses()
                .that()
                .resideOutsideOfPackages(SPARK.packages(), EXAMPLES.packages(), ROOT + ".proof..inspark..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.spark..")
                .check(without(ROOT + ".agent.files.ExternalShuffleBlockSource"));
    }

    /** The wall clock may be set at any time. Starts of agents are told from process to process, which it alone can. */
    @Test
    void onlyMonotonicClocksDecideHowLongToWait() {
        noClasses()
                .that()
                .resideInAnyPackage(Stream.of(RDMA, VERBS, MEMORY, LINK, WIRE, LOOP, CLIENT, AGENT)
                        .map(Owner::packages)
                        .toArray(String[]::new))
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                // Which starts count for a crash loop, and the times of files, are matters of the wall clock.
                .check(without(ROOT + ".client.AgentLauncher", ROOT + ".agent.watch.AgentWatch"));
    }

    /**
     * A process that nothing ends outlives the command that started it. An executor's agent is meant to outlive the
     * executor.
     */
    @Test
    void processesAreStartedOnlyWhereTheirEndIsSeenTo() {
        noClasses()
                .should()
                .accessTargetWhere(JavaAccess.Predicates.targetOwner(type(ProcessBuilder.class))
                        .and(JavaAccess.Predicates.target(name("start"))))
                .check(without(
                        ROOT + ".os.SystemCommand", ROOT + ".cli.base.Teardown", ROOT + ".client.AgentLauncher"));
    }

    @Test
    void everyPackageSaysWhatItOwnsAndIsNullMarked() {
        Stream<JavaPackage> packages =
                PRODUCTION.stream().map(JavaClass::getPackage).distinct();

        assertThat(packages).isNotEmpty().allSatisfy(owned -> {
            assertThat(owned.tryGetPackageInfo()).as(owned.getName()).isPresent();
            assertThat(owned.isAnnotatedWith(NullMarked.class))
                    .as(owned.getName())
                    .isTrue();
        });
    }

    /** Everything but one class, with what is nested in it. */
    private static JavaClasses without(String... names) {
        return PRODUCTION.that(new DescribedPredicate<>("not in " + List.of(names)) {
            @Override
            public boolean test(JavaClass candidate) {
                return Stream.of(names)
                        .noneMatch(name -> candidate.getName().equals(name)
                                || candidate.getName().startsWith(name + "$"));
            }
        });
    }
}
