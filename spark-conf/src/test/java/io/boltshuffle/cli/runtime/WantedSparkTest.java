package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WantedSparkTest {
    @Test
    void aLineIsFetchedInTheReleaseThatIsKnownAndAllowsEveryPatch() {
        WantedSpark line = wanted("4.2");

        assertThat(line.release()).isEqualTo("4.2.0");
        assertThat(line.source()).isEqualTo(SparkSource.MAVEN);
        assertThat(line.allows("4.2.1")).isTrue();
        assertThat(line.allows("4.3.0")).isFalse();
        assertThat(line.allows("4.9.0")).isFalse();
    }

    @Test
    void aReleaseIsTakenAsItIs() {
        WantedSpark release = wanted("4.2.1");

        assertThat(release.release()).isEqualTo("4.2.1");
        assertThat(release.source()).isEqualTo(SparkSource.PIP);
        assertThat(release.allows("4.2.1")).isTrue();
        assertThat(release.allows("4.2.0")).isFalse();
    }

    @Test
    void theReleaseThatMavenHasComesFromMaven() {
        assertThat(wanted("4.1.3").source()).isEqualTo(SparkSource.MAVEN);
        assertThat(wanted("4.1.4").source()).isEqualTo(SparkSource.PIP);
        assertThat(wanted("4.3").source()).isEqualTo(SparkSource.PIP);
    }

    @Test
    void whatIsNoReleaseOfASupportedLineIsNotWanted() {
        assertThat(WantedSpark.of("3.4")).isEmpty();
        assertThat(WantedSpark.of("4.9.0")).isEmpty();
        assertThat(WantedSpark.of("4.2.1; rm -r .")).isEmpty();
        assertThat(WantedSpark.of("4.2.x")).isEmpty();
    }

    private static WantedSpark wanted(String text) {
        return WantedSpark.of(text).orElseThrow();
    }
}
