package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A Javadoc begins with a verb or a noun, so that its first sentence is whole and understood at first reading. */
class JavadocOpeningTest {
    private static final Pattern FRAGMENT = Pattern.compile(
            "^[ \\t]*/\\*\\*[\\s*]*(As|Of|For|With|Also|Not|What|Whatever|To|Or)\\b",
            Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

    @Test
    void noJavadocBeginsWithAWordThatOnlyAFragmentBeginsWith() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : LineLengthTest.sources()) {
            for (String place : fragments(Files.readString(source))) {
                found.add(LineLengthTest.ROOT.relativize(source) + ":" + place);
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void aFragmentIsFoundByTheLineOfItsJavadoc() {
        assertThat(fragments("class A {\n    /** Of a file. */\n    int a;\n")).containsExactly("2: Of");
        assertThat(fragments("/**\n * With so many.\n */\nclass A {}\n")).containsExactly("1: With");
        assertThat(fragments("/** Offers of a link. */\n/* What this is. */\n")).isEmpty();
    }

    private static List<String> fragments(String source) {
        List<String> found = new ArrayList<>();
        Matcher matcher = FRAGMENT.matcher(source);
        while (matcher.find()) {
            long line = 1 + source.substring(0, matcher.start()).lines().count();
            found.add(line + ": " + matcher.group(1));
        }
        return found;
    }
}
