package io.boltshuffle.examples;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;

/**
 * Runs other programs of this package one after the other in one JVM, each with an application of its own:
 * {@code InTurn <program> <argument>... [-- <program> <argument>...]...}. The first that fails ends it.
 */
public final class InTurn {
    /** The word between two programs. */
    public static final String NEXT = "--";

    private InTurn() {}

    public static void main(String[] args) throws Exception {
        Usage.require(args, 1, "InTurn <program> <argument>... [-- <program> <argument>...]...");
        List<String> words = Arrays.asList(args);
        while (!words.isEmpty()) {
            int next = words.indexOf(NEXT);
            int end = next < 0 ? words.size() : next;
            run(words.get(0), words.subList(1, end));
            words = words.subList(Math.min(end + 1, words.size()), words.size());
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
