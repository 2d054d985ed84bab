package io.boltshuffle.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.fabric.Diagram;
import io.boltshuffle.cli.doctor.fabric.SvgDrawing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pictures in the guide are what {@code bolt topology --svg} draws. {@code -Ddocs.rewrite=true} draws them anew.
 */
class DocsPicturesTest {

    private static final Path IMAGES = Path.of("..", "docs", "images");

    @ParameterizedTest
    @CsvSource({"2-macs,2-macs-26.3", "3-macs,3-macs-26.4", "4-macs,4-macs-26.5"})
    void isUpToDate(String picture, String cluster) throws IOException {
        Path file = IMAGES.resolve(picture + ".svg");
        String drawn = SvgDrawing.draw(Diagram.of(SavedEvidence.fabric(SavedEvidence.healthy(cluster))));
        if (Boolean.getBoolean("docs.rewrite")) {
            Files.createDirectories(IMAGES);
            Files.writeString(file, drawn);
        }

        assertThat(Files.readString(file))
                .as("mvn test -pl spark-conf -am -Dtest=DocsPicturesTest -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Ddocs.rewrite=true")
                .isEqualTo(drawn);
    }
}
