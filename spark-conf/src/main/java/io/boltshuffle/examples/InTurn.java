package io.boltshuffle.examples;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs other programs of this package one after the other in one JVM, each with an application of its own:
 * {@code InTurn [--when-told] [<setting>=<value>]... <program> <argument>... [-- ...]...}. Settings of Spark before a
 * program hold for that one alone. With {@code --when-told} each waits for a line of standard input. The first that
 * fails ends it.
 */
public final class InTurn {
    /** The word between two programs. */
    public static final String NEXT = "--";

    /** The first word, if each program waits until it is told. */
    public static final String WHEN_TOLD = "--when-told";

    private InTurn() {}

    public static void main(String[] args) throws Exception {
        Usage.require(args, 1, "InTurn [" + WHEN_TOLD + "] [<setting>=<value>]... <program> <argument>... [-- ...]...");
        List<String> words = Arrays.asList(args);
        BufferedReader turns = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        boolean waits = words.get(0).equals(WHEN_TOLD);
        words = words.subList(waits ? 1 : 0, words.size());
        while (!words.isEmpty() && (!waits || turns.readLine() != null)) {
            int next = words.indexOf(NEXT);
            int end = next < 0 ? words.size() : next;
            runWithSettings(words.subList(0, end));
            words = words.subList(Math.min(end + 1, words.size()), words.size());
        }
    }

    private static void runWithSettings(List<String> words) throws Exception {
        List<String> settings = new ArrayList<>();
        int program = 0;
        for (int equals = words.get(0).indexOf('=');
                equals > 0;
                equals = words.get(program).indexOf('=')) {
            settings.add(words.get(program).substring(0, equals));
            System.setProperty(settings.get(program), words.get(program).substring(equals + 1));
            program++;
        }
        try {
            run(words.get(program), words.subList(program + 1, words.size()));
        } finally {
            settings.forEach(System::clearProperty);
        }
    }

    private static void run(String program, List<String> arguments) throws Exception {
        try {
            Class.forName(program).getMethod("main", String[].class).invoke(null, (Object)
                    arguments.toArray(new String[0]));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception fault) {
                throw fault;
            }
            throw e;
        }
        System.out.println(new ProgressLine.ProgramDone(program).format());
    }
}
