package io.boltshuffle.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.boltshuffle.cli.base.BoltException;
import java.util.List;
import org.junit.jupiter.api.Test;

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
}
