package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.junit.jupiter.api.Test;

/** UiTabTest shows that Spark's own event is heard. */
class StageNamesTest {
    private static final String OF_SPARK = "$anonfun$withThreadLocalCaptured$1 at CompletableFuture.java:1768";

    private final StageNames names = new StageNames();

    @Test
    void aStageOfAQueryHasTheQuerysDescription() {
        names.started("7", "count at FirstLook.java:31");

        assertThat(names.of(OF_SPARK, properties("spark.sql.execution.id", "7")))
                .isEqualTo("count at FirstLook.java:31 (query 7)");
    }

    @Test
    void aQueryFromPythonIsNamedAfterWhatPythonCalled() {
        names.started("7", "showString at NativeMethodAccessorImpl.java:0");

        assertThat(names.of(OF_SPARK, properties("spark.sql.execution.id", "7")))
                .isEqualTo("showString (query 7)");
    }

    @Test
    void whatTheProgramCallsItsJobGoesFirst() {
        Properties properties = properties("spark.sql.execution.id", "7");
        properties.setProperty("spark.job.description", "sales by region");
        names.started("7", "count at FirstLook.java:31");

        assertThat(names.of(OF_SPARK, properties)).isEqualTo("sales by region (query 7)");
        assertThat(names.of("collect", properties("spark.job.description", "rows")))
                .isEqualTo("rows");
    }

    @Test
    void withoutADescriptionSparksNameStays() {
        assertThat(names.of("collect at Job.java:7", null)).isEqualTo("collect at Job.java:7");
        assertThat(names.of("collect at Job.java:7", new Properties())).isEqualTo("collect at Job.java:7");
        assertThat(names.of("collect at Job.java:7", properties("spark.sql.execution.id", "8")))
                .isEqualTo("collect at Job.java:7");
    }

    @Test
    void otherEventsAndLongDescriptionsAreBorne() {
        names.heard(new SparkListenerEvent() {});
        names.started("1", "\uD83D\uDE80".repeat(500));

        assertThat(names.of(OF_SPARK, properties("spark.sql.execution.id", "1")))
                .isEqualTo("\uD83D\uDE80".repeat(200) + "... (query 1)");
    }

    private static Properties properties(String key, String value) {
        Properties properties = new Properties();
        properties.setProperty(key, value);
        return properties;
    }
}
