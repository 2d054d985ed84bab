package io.boltshuffle.cli.doctor.facts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A process with its state letters, from {@code ps -axo pid=,state=,comm=}. */
public record ProcessState(int pid, String state, String command) {

    /** The letters of an uninterruptible wait: {@code U} on macOS, {@code D} on Linux. */
    private static final Set<Character> UNINTERRUPTIBLE = Set.of('U', 'D');

    /**
     * Returns the processes that were in an uninterruptible wait in both listings, so most likely all the time between.
     */
    static List<ProcessState> stuck(String ps, String psAgain) {
        Set<Integer> before = new HashSet<>();
        uninterruptible(ps).forEach(process -> before.add(process.pid));
        return uninterruptible(psAgain).stream()
                .filter(process -> before.contains(process.pid))
                .toList();
    }

    private static List<ProcessState> uninterruptible(String ps) {
        List<ProcessState> processes = new ArrayList<>();
        ps.lines()
                .forEach(line ->
                        parse(line).filter(ProcessState::isUninterruptible).ifPresent(processes::add));
        return processes;
    }

    private static Optional<ProcessState> parse(String line) {
        String[] fields = line.strip().split("\\s+", 3);
        if (fields.length < 3 || KeyValues.integer(fields[0]).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ProcessState(Integer.parseInt(fields[0]), fields[1], fields[2]));
    }

    private boolean isUninterruptible() {
        return UNINTERRUPTIBLE.contains(state.charAt(0));
    }
}
