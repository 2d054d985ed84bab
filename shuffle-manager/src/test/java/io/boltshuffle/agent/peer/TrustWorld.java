package io.boltshuffle.agent.peer;

import io.boltshuffle.agent.base.AgentCounters;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.agent.files.OpenFiles;
import io.boltshuffle.agent.serve.Step;
import io.boltshuffle.client.ClientCounters;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.testing.SimLoop;
import io.boltshuffle.testing.SimPipe;
import io.boltshuffle.testing.StateDigest;
import io.boltshuffle.wire.FetchDeadline;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two agents and their connections, on which the exploration moves one message at a time, in any order; executors that
 * come, fetch and end; strangers; and time.
 */
final class TrustWorld {

    /** An application and its secret, as one host has them. */
    record Known(String application, Secret secret) {}

    /** An end of a connection. */
    interface Party {
        /** All secrets that it ever had. */
        Set<Known> known();
    }

    static final Known FIRST = new Known("app-1", Secret.of(new byte[] {1}));
    static final Known SECOND = new Known("app-2", Secret.of(new byte[] {2}));
    static final List<Known> APPLICATIONS = List.of(FIRST, SECOND);

    /** How long a connection may prove nothing. */
    static final Duration HANDSHAKE = Duration.ofSeconds(10);

    /** How long a fetch may wait for first contact. Shorter than a handshake, which may so come too late. */
    static final Duration FIRST_CONTACT = Duration.ofSeconds(6);

    static final Map<String, String> SETTINGS = Map.of(
            "spark.boltshuffle.agent.heartbeatInterval", "4s",
            "spark.boltshuffle.agent.heartbeatTimeout", HANDSHAKE.toSeconds() + "s",
            "spark.boltshuffle.agent.connectTimeout", FIRST_CONTACT.toSeconds() + "s");

    private static final Known FORGED = new Known("app-1", Secret.of(new byte[] {9}));

    /** Less than first contact may take. */
    private static final Duration SOME_TIME = Duration.ofSeconds(4);

    private static final Duration LAPSE = Duration.ofNanos(PeerConnection.LAPSE_NANOS);

    /**
     * How late messages are where all is said. With the time between two signs of life it is less than silence may
     * last.
     */
    private static final Duration TICK = Duration.ofSeconds(3);

    private static final Duration ALL_DELAYS = Duration.ofMinutes(1);

    /** An event that may happen besides messages. */
    enum Event {
        FIRST_COMES_TO_A,
        FIRST_COMES_TO_B,
        FIRST_COMES_TO_B_WITH_ANOTHER_SECRET,
        SECOND_COMES_TO_A,
        SECOND_COMES_TO_B,
        A_FETCHES,
        B_FETCHES,
        FIRST_ENDS_AT_A,
        FIRST_ENDS_AT_B,
        SECOND_ENDS_AT_A,
        SECOND_ENDS_AT_B,
        A_CONNECTION_BREAKS,
        A_CALL_FAILS,
        TIME_PASSES,
        A_MINUTE_PASSES,
        A_STRANGER_CALLS_A,
        A_STRANGER_CALLS_B,
        A_STRANGER_IS_CALLED
    }

    /**
     * The subject of an exploration.
     *
     * @param before happened when it begins, in this order
     * @param going happens sooner or later, once each
     * @param disturbing may happen
     * @param disturbances how many of those at most
     */
    record Plan(List<Event> before, Set<Event> going, Set<Event> disturbing, int disturbances) {}

    /** A connection: the end that opened it, and the agents' ends. */
    private record Wire(SimPipe pipe, TrustAgent.@Nullable Line caller, TrustAgent.@Nullable Line called) {}

    /** The belief of an agent about the other end of a connection before a step. */
    private record Belief(TrustAgent agent, TrustAgent.Line line, Set<String> trusted, boolean lapsed) {}

    private final SimLoop loop = new SimLoop();
    private final TrustAgent a;
    private final TrustAgent b;
    private final Plan plan;
    private final List<Wire> wires = new ArrayList<>();
    private final Set<Event> gone = EnumSet.noneOf(Event.class);
    private int disturbances;
    private TrustAgent.@Nullable Line moved;
    private boolean timePassed;
    private boolean lively;

    TrustWorld(TrustFixture fixture, Plan plan) {
        this.plan = plan;
        a = new TrustAgent(fixture.services("a", 1, loop), loop, "b");
        b = new TrustAgent(fixture.services("b", 2, loop), loop, "a");
        for (Event event : plan.before()) {
            perform(waysOf(event).get(0));
            drainMessages();
        }
    }

    /** All that may happen now, always in the same order. */
    List<Step> steps() {
        List<Step> steps = messages();
        for (Event event : plan.going()) {
            if (!gone.contains(event)) {
                for (Step step : waysOf(event)) {
                    steps.add(Step.of(step.name(), () -> {
                        gone.add(event);
                        step.action().run();
                    }));
                }
            }
        }
        if (disturbances < plan.disturbances()) {
            for (Event event : plan.disturbing()) {
                for (Step step : waysOf(event)) {
                    steps.add(Step.disturbing(step.name(), () -> {
                        disturbances++;
                        step.action().run();
                    }));
                }
            }
        }
        return steps;
    }

    /** Does one step, and asserts what must hold after it. */
    void perform(Step step) {
        List<Belief> before = beliefs();
        Set<TrustAgent.Line> lasting = lasting();
        moved = null;
        timePassed = false;
        lively = false;
        repeat(step);
        before.stream()
                .filter(belief -> !belief.line().isInUse())
                .filter(belief -> timePassed ? lively && lasting.contains(belief.line()) : belief.line() != moved)
                .forEach(TrustWorld::checkReplaced);
        a.check();
        b.check();
    }

    /** Does a step after which all held before. */
    void repeat(Step step) {
        step.action().run();
        loop.run();
    }

    /** A session that ended, and not by what happened on its own connection. */
    private static void checkReplaced(Belief belief) {
        boolean rightly = belief.lapsed()
                || belief.agent().lines().stream()
                        .filter(TrustAgent.Line::isInUse)
                        .anyMatch(line -> line.trusted().stream().anyMatch(belief.trusted()::contains));
        if (!rightly) {
            throw new AssertionError(belief.agent().host() + ": a session that proved " + belief.trusted()
                    + " ended, and nothing that proved as much took its place");
        }
    }

    private List<Belief> beliefs() {
        List<Belief> beliefs = new ArrayList<>();
        for (TrustAgent agent : List.of(a, b)) {
            agent.lines().stream()
                    .filter(TrustAgent.Line::isInUse)
                    .forEach(line -> beliefs.add(new Belief(agent, line, line.trusted(), line.isLapsed())));
        }
        return beliefs;
    }

    /** The ends of connections that both agents use, with nothing on its way that could end them. */
    private Set<TrustAgent.Line> lasting() {
        Set<TrustAgent.Line> lasting = new HashSet<>();
        for (Wire wire : wires) {
            SimPipe pipe = wire.pipe();
            if (pipe.isIntact()
                    && !pipe.hasFrame()
                    && !pipe.other().hasFrame()
                    && isTrusted(wire.caller())
                    && isTrusted(wire.called())) {
                lasting.addAll(List.of(wire.caller(), wire.called()));
            }
        }
        return lasting;
    }

    private static boolean isTrusted(TrustAgent.@Nullable Line line) {
        return line != null && line.isInUse() && !line.isLapsed();
    }

    private List<Step> messages() {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < wires.size(); i++) {
            Wire wire = wires.get(i);
            addEnd("connection " + i + ", to its caller: ", wire.pipe(), wire.caller(), steps::add);
            addEnd("connection " + i + ", to the called: ", wire.pipe().other(), wire.called(), steps::add);
        }
        for (TrustAgent agent : List.of(a, b)) {
            if (agent.isCalling()) {
                steps.add(Step.of(agent.host() + "'s call arrives", () -> call(agent)));
            }
            agent.ports().addSteps(agent.host(), steps::add);
        }
        return steps;
    }

    private void addEnd(String name, SimPipe end, TrustAgent.@Nullable Line line, Consumer<Step> steps) {
        if (end.hasFrame()) {
            steps.accept(Step.of(name + "message", () -> {
                moved = line;
                end.deliver();
            }));
        }
        if (end.mayEnd()) {
            steps.accept(Step.of(name + "end", () -> {
                moved = line;
                end.end();
            }));
        }
    }

    /** Returns the ways in which the event may happen now; none if its time has not come. */
    private List<Step> waysOf(Event event) {
        return switch (event) {
            case FIRST_COMES_TO_A -> coming(a, FIRST);
            case FIRST_COMES_TO_B -> coming(b, FIRST);
            case FIRST_COMES_TO_B_WITH_ANOTHER_SECRET -> coming(b, FORGED);
            case SECOND_COMES_TO_A -> coming(a, SECOND);
            case SECOND_COMES_TO_B -> coming(b, SECOND);
            case A_FETCHES -> fetching(a);
            case B_FETCHES -> fetching(b);
            case FIRST_ENDS_AT_A -> ending(a, FIRST);
            case FIRST_ENDS_AT_B -> ending(b, FIRST);
            case SECOND_ENDS_AT_A -> ending(a, SECOND);
            case SECOND_ENDS_AT_B -> ending(b, SECOND);
            case A_CONNECTION_BREAKS -> breaking();
            case A_CALL_FAILS ->
                Stream.of(a, b)
                        .filter(TrustAgent::isCalling)
                        .map(agent -> Step.of(agent.host() + "'s call fails", agent::callFails))
                        .toList();
            case TIME_PASSES -> List.of(Step.of("time passes", () -> pass(SOME_TIME)));
            case A_MINUTE_PASSES -> List.of(Step.of("a minute passes in which all is said", this::passLively));
            case A_STRANGER_CALLS_A -> strangers(a, true);
            case A_STRANGER_CALLS_B -> strangers(b, true);
            case A_STRANGER_IS_CALLED ->
                Stream.concat(strangers(a, false).stream(), strangers(b, false).stream())
                        .toList();
        };
    }

    private static List<Step> coming(TrustAgent agent, Known application) {
        return agent.hasExecutor(application.application())
                ? List.of()
                : List.of(Step.of(
                        application.application() + " comes to " + agent.host(), () -> agent.register(application)));
    }

    private static List<Step> fetching(TrustAgent agent) {
        return APPLICATIONS.stream()
                .map(Known::application)
                .filter(agent::hasExecutor)
                .map(application ->
                        Step.of(agent.host() + " fetches of " + application, () -> agent.fetch(application)))
                .toList();
    }

    private static List<Step> ending(TrustAgent agent, Known application) {
        String name = application.application();
        return agent.hasExecutor(name)
                ? List.of(Step.of(name + " ends at " + agent.host(), () -> agent.end(name)))
                : List.of();
    }

    private List<Step> breaking() {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < wires.size(); i++) {
            SimPipe pipe = wires.get(i).pipe();
            if (pipe.isIntact()) {
                steps.add(Step.of("connection " + i + " breaks", pipe::breakOff));
            }
        }
        return steps;
    }

    private List<Step> strangers(TrustAgent victim, boolean calls) {
        List<Step> steps = new ArrayList<>();
        for (TrustStranger.Way way : TrustStranger.Way.values()) {
            String name = "a stranger that " + way + ", in the name of "
                    + other(victim).host();
            if (calls) {
                steps.add(Step.of(name + ", calls", () -> strangerCalls(victim, way)));
            } else if (victim.isCalling()) {
                steps.add(Step.of(name + ", is called", () -> callStranger(victim, way)));
            }
        }
        return steps;
    }

    private void pass(Duration time) {
        timePassed = true;
        loop.advance(time);
    }

    private void passLively() {
        timePassed = true;
        lively = true;
        for (long ticks = LAPSE.dividedBy(TICK); ticks > 0; ticks--) {
            loop.advance(TICK);
            for (Step next = nextOrdinary(messages()); next != null; next = nextOrdinary(messages())) {
                repeat(next);
            }
        }
    }

    private TrustAgent other(TrustAgent agent) {
        return agent == a ? b : a;
    }

    private void call(TrustAgent agent) {
        TrustAgent.Line[] ends = new TrustAgent.Line[2];
        SimPipe pipe = SimPipe.connect(frame -> ends[0].onSaid(frame), frame -> ends[1].onSaid(frame));
        ends[0] = agent.callThrough(pipe, other(agent));
        ends[1] = other(agent).accept(pipe.other(), agent);
        wires.add(new Wire(pipe, ends[0], ends[1]));
        ends[0].start();
        ends[1].start();
    }

    private void callStranger(TrustAgent agent, TrustStranger.Way way) {
        TrustAgent.Line[] end = new TrustAgent.Line[1];
        SimPipe pipe = SimPipe.connect(frame -> end[0].onSaid(frame), frame -> {});
        TrustStranger stranger = stranger(agent, way, pipe.other(), Handshake.End.ACCEPTOR);
        end[0] = agent.callThrough(pipe, stranger);
        wires.add(new Wire(pipe, end[0], null));
        end[0].start();
        stranger.start();
    }

    private void strangerCalls(TrustAgent agent, TrustStranger.Way way) {
        TrustAgent.Line[] end = new TrustAgent.Line[1];
        SimPipe pipe = SimPipe.connect(frame -> {}, frame -> end[0].onSaid(frame));
        TrustStranger stranger = stranger(agent, way, pipe, Handshake.End.DIALER);
        end[0] = agent.accept(pipe.other(), stranger);
        wires.add(new Wire(pipe, null, end[0]));
        stranger.start();
        end[0].start();
    }

    private TrustStranger stranger(TrustAgent victim, TrustStranger.Way way, SimPipe pipe, Handshake.End end) {
        TrustAgent claimed = other(victim);
        return new TrustStranger(way, claimed.identity(), pipe, end, claimed.lastProofs());
    }

    long digest() {
        return new StateDigest()
                .ignore(
                        Plan.class,
                        AgentCounters.class,
                        ClientCounters.class,
                        FetchDeadline.class,
                        LeasePool.class,
                        LinkMeter.class,
                        OpenFiles.class,
                        Registration.class,
                        Settings.class)
                .of(this);
    }

    /** Lets all go on undisturbed, then end, and asserts what must hold on the way and what must be left: nothing. */
    void settle() {
        drain();
        if (disturbances == 0 && plan.before().containsAll(List.of(Event.FIRST_COMES_TO_A, Event.FIRST_COMES_TO_B))) {
            a.assertReached();
            b.assertReached();
        }
        for (Wire wire : wires) {
            if (wire.caller() == null) {
                wire.pipe().close();
            } else if (wire.called() == null) {
                wire.pipe().other().close();
            }
        }
        live(ALL_DELAYS);
        a.assertEveryFetchEnded();
        b.assertEveryFetchEnded();
        if (a.serves(FIRST) && b.serves(FIRST)) {
            assertReached(a);
            assertReached(b);
        }
        gone.addAll(plan.going()); // what never came does not come now
        for (TrustAgent agent : List.of(a, b)) {
            APPLICATIONS.forEach(each -> agent.end(each.application()));
        }
        live(LAPSE.plus(TICK));
        a.assertEmpty();
        b.assertEmpty();
        live(ALL_DELAYS); // links' attempts that find their connection gone
        if (loop.timers() > 0) {
            throw new AssertionError(loop.timers() + " timers are left");
        }
    }

    private void assertReached(TrustAgent agent) {
        TrustAgent.Fetch fetch = agent.fetch(FIRST.application());
        drain();
        live(FIRST_CONTACT);
        if (!fetch.isReached()) {
            throw new AssertionError(agent.host() + " does not reach the other agent, though both serve " + FIRST);
        }
    }

    private void live(Duration time) {
        Step tick = Step.of("a little time passes", () -> pass(TICK));
        for (long ticks = time.dividedBy(TICK); ticks > 0; ticks--) {
            perform(tick);
            drain();
        }
    }

    private void drain() {
        for (Step next = nextOrdinary(steps()); next != null; next = nextOrdinary(steps())) {
            perform(next);
        }
    }

    private void drainMessages() {
        for (Step next = nextOrdinary(messages()); next != null; next = nextOrdinary(messages())) {
            perform(next);
        }
    }

    private static @Nullable Step nextOrdinary(List<Step> steps) {
        return steps.stream().filter(step -> !step.disturbing()).findFirst().orElse(null);
    }
}
