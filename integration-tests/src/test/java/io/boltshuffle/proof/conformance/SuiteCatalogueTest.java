package io.boltshuffle.proof.conformance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.runtime.SparkLine;
import io.boltshuffle.cli.runtime.SparkRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteCatalogueTest {
    @Test
    void everyLineOfTheListIsASuiteAndNoneIsThereTwice() {
        assertThat(SuiteCatalogue.all())
                .allMatch(suite -> suite.className().startsWith("org.apache.spark."))
                .extracting(Suite::className)
                .doesNotHaveDuplicates();
        assertThat(SuiteCatalogue.all()).anyMatch(Suite::core).anyMatch(suite -> !suite.core());
    }

    @Test
    void suitesAreFoundByAPartOfTheirName() {
        assertThat(SuiteCatalogue.named(List.of("BroadcastSuite", "broadcast.")))
                .extracting(Suite::shortName)
                .containsExactly("BroadcastSuite");
        assertThatExceptionOfType(BoltException.class)
                .isThrownBy(() -> SuiteCatalogue.named(List.of("NoSuch")))
                .withMessageContaining("NoSuch");
    }

    @Test
    void suitesThatALineLacksOrHasOnlyAsTheBaseOfOthersAreLeftOut(@TempDir Path home) throws IOException {
        Path jars = Files.createDirectories(home.resolve("jars"));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(jars.resolve("spark-tests.jar")))) {
            for (Class<?> suite : List.of(Base.class, Concrete.class)) {
                String name = suite.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(name));
                try (InputStream bytes = requireNonNull(suite.getClassLoader().getResourceAsStream(name))) {
                    bytes.transferTo(jar);
                }
            }
        }
        List<Suite> wanted = Stream.of(Base.class.getName(), Concrete.class.getName(), "org.example.Gone")
                .map(name -> new Suite("topic", true, true, name))
                .toList();

        assertThat(SuiteCatalogue.presentIn(new SparkRuntime(home, "4.2.0", SparkLine.V4_2), wanted))
                .extracting(Suite::className)
                .containsExactly(Concrete.class.getName());
    }

    abstract static class Base {}

    static final class Concrete extends Base {}
}
