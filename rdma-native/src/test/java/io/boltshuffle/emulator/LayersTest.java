package io.boltshuffle.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.emulator.SourceLayers.Layer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The virtual Thunderbolt's files are layers: each uses files of its own layer or of lower ones, and none in a circle.
 */
@Tag("slow")
class LayersTest {
    private static final Path SOURCES = Path.of("src", "emulator", "c");
    private static final Path OBJECTS = Path.of("target", "emulator", "obj");
    private static final Path MAP = SOURCES.resolve("README.md");
    private static final Pattern ROW = Pattern.compile("^\\| (\\d+) (\\w+) \\|.+\\|(.+)\\|$", Pattern.MULTILINE);
    private static final Pattern FILE = Pattern.compile("`([^`]+)`");
    private static final long TIMEOUT_SECONDS = 60;

    /** Has the names of the C library's reads, and is no part of the virtual Thunderbolt. */
    private static final List<String> OF_OTHER_LIBRARIES = List.of("slowdisk.c", "baddisk.c", "changedhost.c");

    private static final Map<String, String> LOW_AND_HIGH =
            Map.of("low.h", "/* Layer 1, base. */", "high.h", "/*\n * Layer 2, top.\n */");

    @Test
    void arrowsRunDown() throws IOException {
        assertThat(ofTheEmulator().objections()).isEmpty();
    }

    /** Without this the test above would see nothing. */
    @Test
    void arrowsAreSeen() throws IOException {
        assertThat(ofTheEmulator().calledBy("deliver")).contains("batch", "damage", "doorbell", "stream", "wire");
    }

    @Test
    void theMapShowsEachFileInItsLayer() throws IOException {
        SortedMap<Layer, List<String>> shown = new TreeMap<>();
        for (Matcher row = ROW.matcher(Files.readString(MAP)); row.find(); ) {
            List<String> files = FILE.matcher(row.group(3))
                    .results()
                    .map(file -> file.group(1))
                    .sorted()
                    .toList();
            shown.put(new Layer(Integer.parseInt(row.group(1)), row.group(2)), files);
        }
        assertThat(shown).isEqualTo(ofTheEmulator().files());
    }

    @Test
    void anIncludeThatRunsUpIsRefused() {
        Map<String, String> sources = new TreeMap<>(LOW_AND_HIGH);
        sources.put("low.c", "#include \"low.h\"\n#include \"high.h\"\n");
        sources.put("high.c", "#include \"low.h\"\n");
        assertThat(new SourceLayers(sources, Map.of()).objections())
                .containsExactly("low.c includes high.h, up from layer 1 to 2");
    }

    @Test
    void aSymbolThatIsUsedFromBelowIsRefused() {
        Map<String, String> symbols = Map.of(
                "low.c", "low T 0 10\nhigh U\nmemcpy U\n",
                "high.c", "high T 0 10\nlow U\n");
        assertThat(new SourceLayers(LOW_AND_HIGH, symbols).objections())
                .containsExactly("low.c uses high of high, up from layer 1 to 2");
    }

    @Test
    void aCircleInsideALayerIsRefused() {
        Map<String, String> sources = Map.of(
                "here.h",
                "/* Layer 1, base. */\n#include \"there.h\"\n",
                "test/there.h",
                "",
                "there.h",
                "/* Layer 1, base. */\n");
        Map<String, String> symbols = Map.of("here.c", "here T 0 10\n", "there.c", "here U\n");
        assertThat(new SourceLayers(sources, symbols).objections())
                .containsExactly("test/there.h does not begin with its layer", "a circle: here -> there -> here");
    }

    @Test
    void aLayerHasOneName() {
        Map<String, String> sources = Map.of("a.c", "/* Layer 1, base. */", "b.c", "/* Layer 1, ground. */");
        assertThat(new SourceLayers(sources, Map.of()).objections())
                .containsExactly("b calls layer 1 ground, others base");
    }

    private static SourceLayers ofTheEmulator() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        Map<String, String> symbols = new TreeMap<>();
        for (Path path : paths()) {
            String name = SOURCES.relativize(path).toString();
            sources.put(name, Files.readString(path));
            if (name.endsWith(".c")) {
                symbols.put(name, symbolsOf(OBJECTS.resolve(name.replaceAll("c$", "o"))));
            }
        }
        return new SourceLayers(sources, symbols);
    }

    private static List<Path> paths() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(path ->
                            path.toString().endsWith(".c") || path.toString().endsWith(".h"))
                    .filter(path -> OF_OTHER_LIBRARIES.stream().noneMatch(path::endsWith))
                    .toList();
        }
    }

    private static String symbolsOf(Path object) throws IOException {
        Process process = new ProcessBuilder("nm", "-P", "-g", object.toString())
                .redirectErrorStream(true)
                .start();
        FinishedProcess nm = FinishedProcess.of(process, TIMEOUT_SECONDS).join();
        assertThat(nm.exitCode()).as(nm.output()).isZero();
        return nm.output();
    }
}
