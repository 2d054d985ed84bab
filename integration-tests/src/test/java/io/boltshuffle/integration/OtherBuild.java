package io.boltshuffle.integration;

import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Another build of the plugin: compiled from its sources with a line changed. Only what the change reaches is compiled
 * again; in front of this build's class path it makes the other one.
 */
final class OtherBuild {

    private static final Path SOURCES = Path.of("..", "shuffle-manager", "src", "main", "java");

    /** A field of {@code bolt agent status} that only other builds have. */
    static final String STATUS_FIELD = "/otherBuild";

    static final int NEXT_VERSION = WireLimits.CONTROL_VERSION + 1;

    private OtherBuild() {}

    /** Speaks the same protocols, and says more in its status. */
    static Path ofTheSameProtocols(Path directory) throws IOException {
        return compile(
                directory,
                Map.of(
                        "String toJson() {",
                        "@com.fasterxml.jackson.annotation.JsonProperty(\"otherBuild\")"
                                + " boolean otherBuild() { return true; } String toJson() {"),
                "String toJson() {");
    }

    /** Its agents and executors greet with the next version. */
    static Path ofTheNextProtocols(Path directory) throws IOException {
        return compile(
                directory,
                Map.of(
                        "CONTROL_VERSION = " + WireLimits.CONTROL_VERSION + ";",
                        "CONTROL_VERSION = " + NEXT_VERSION + ";",
                        "SESSION_VERSION = " + WireLimits.SESSION_VERSION + ";",
                        "SESSION_VERSION = " + (WireLimits.SESSION_VERSION + 1) + ";"),
                "_VERSION");
    }

    /**
     * @param changes what is put in the place of what
     * @param reaches what the sources hold that the change reaches: javac copies constants into all that name them
     */
    private static Path compile(Path directory, Map<String, String> changes, String reaches) throws IOException {
        List<Source> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file);
                if (text.contains(reaches)) {
                    for (Map.Entry<String, String> change : changes.entrySet()) {
                        text = text.replace(change.getKey(), change.getValue());
                    }
                    sources.add(new Source(file.toUri(), text));
                }
            }
        }
        Path classes = Files.createDirectories(directory);
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-classpath", System.getProperty("java.class.path"));
        if (!javac.getTask(said, null, null, options, null, sources).call()) {
            throw new IOException("the other build does not compile:\n" + said);
        }
        return classes;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(URI file, String text) {
            super(file, Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
