package io.boltshuffle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InTurnTest {
    private static final List<List<String>> RAN = new ArrayList<>();

    /** A program that keeps what it was given. */
    public static final class Keeps {
        public static void main(String[] args) {
            RAN.add(List.of(args));
        }
    }

    /** A program that keeps the name that Spark would give to its application. */
    public static final class KeepsItsName {
        public static void main(String[] args) {
            RAN.add(List.of(System.getProperty("spark.app.name", "none")));
        }
    }

    /** A program that fails for want of an argument. */
    public static final class Fails {
        public static void main(String[] args) {
            Usage.require(args, 1, "Fails <word>");
        }
    }

    @BeforeEach
    void forget() {
        RAN.clear();
    }

    @Test
    void eachProgramGetsItsOwnArguments() throws Exception {
        String keeps = Keeps.class.getName();
        InTurn.main(new String[] {keeps, "10", "out", "--", keeps, "--", keeps, "0.5"});
        assertThat(RAN).containsExactly(List.of("10", "out"), List.of(), List.of("0.5"));
    }

    @Test
    void settingsHoldForTheirProgramAlone() throws Exception {
        String keeps = KeepsItsName.class.getName();
        InTurn.main(new String[] {"spark.app.name=a=1", keeps, "--", "spark.app.name=b", keeps, "--", keeps});
        assertThat(RAN).containsExactly(List.of("a=1"), List.of("b"), List.of("none"));
    }

    @Test
    void programsThatWaitRunWhenTheyAreToldAndNotAfterTheLastLine() throws Exception {
        String keeps = Keeps.class.getName();
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("\n\n".getBytes(StandardCharsets.UTF_8)));
        try {
            InTurn.main(new String[] {InTurn.WHEN_TOLD, keeps, "1", "--", keeps, "2", "--", keeps, "3"});
        } finally {
            System.setIn(before);
        }
        assertThat(RAN).containsExactly(List.of("1"), List.of("2"));
    }

    @Test
    void theFirstFailureIsTheProgramsOwnAndEndsTheRest() {
        String[] words = {Keeps.class.getName(), "--", Fails.class.getName(), "--", Keeps.class.getName()};
        assertThatThrownBy(() -> InTurn.main(words))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("usage: Fails <word>");
        assertThat(RAN).hasSize(1);
    }
}
