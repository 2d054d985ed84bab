package io.boltshuffle.integration.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The blocks of shell commands in the pages, by the test that a page says runs them. */
final class PageBlocks {
    private static final Path CHECKOUT = Path.of("..");

    private PageBlocks() {}

    /** The blocks of a page that are marked with that test's name, in order. */
    static List<String> runBy(Class<?> test, String page) throws IOException {
        Pattern block = Pattern.compile("(?ms)^<!-- run by " + test.getSimpleName() + " -->\n```sh\n(.*?)^```$");
        return block.matcher(Files.readString(CHECKOUT.resolve(page)))
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
