package io.boltshuffle.proof.conformance;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Chooses tests of a suite: all if both lists are empty, or else those of either list.
 *
 * @param words that a test's name contains
 * @param names whole names
 */
record TestChoice(List<String> words, List<String> names) {

    static final TestChoice ALL = new TestChoice(List.of(), List.of());

    TestChoice {
        words = List.copyOf(words);
        names = List.copyOf(names);
    }

    static TestChoice containing(List<String> words) {
        return new TestChoice(words, List.of());
    }

    static TestChoice named(Collection<String> names) {
        return new TestChoice(List.of(), List.copyOf(names));
    }

    boolean isAll() {
        return words.isEmpty() && names.isEmpty();
    }

    /** Returns arguments for ScalaTest's runner, which follow the suite of the tests. */
    List<String> arguments() {
        return Stream.concat(
                        words.stream().flatMap(word -> Stream.of("-z", word)),
                        names.stream().flatMap(name -> Stream.of("-t", name)))
                .toList();
    }
}
