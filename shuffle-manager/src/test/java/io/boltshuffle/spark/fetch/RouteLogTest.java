package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.meter.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class RouteLogTest {
    private static final String BY_NETTY =
            "INFO host-b: shuffle blocks go by Netty, because " + FallbackReason.NO_AGENT.meaning();

    private final RecordingLogger lines = new RecordingLogger();
    private final RouteLog routes = new RouteLog(lines);

    @Test
    void aRouteIsSaidWhenItChangesAndNotOtherwise() {
        routes.planned(refused("host-b"));
        routes.planned(refused("host-b"));
        routes.planned(allowed("host-b"));
        routes.planned(allowed("host-b"));
        routes.planned(refused("host-b"));

        assertThat(lines.said).containsExactly(BY_NETTY, "INFO host-b: shuffle blocks go by RDMA", BY_NETTY);
    }

    @Test
    void eachHostHasARouteOfItsOwn() {
        routes.planned(allowed("host-b"));
        routes.planned(allowed("host-c"));

        assertThat(lines.said).hasSize(2);
    }

    @Test
    void aPlanOfChunksOnlySaysNothingOfTheHost() {
        FetchPlan plan = new FetchPlan("host-b", List.of("shuffleChunk_0_0_2_1"));
        FetchPolicies.blockKinds().review(plan);

        routes.planned(plan);

        assertThat(lines.said).isEmpty();
    }

    @Test
    void aReasonForHandingBackIsSaidOnceUntilTheRouteChanges() {
        routes.planned(allowed("host-b"));
        routes.handedBack("host-b", FallbackReason.TRANSPORT_ERROR, "first");
        routes.handedBack("host-b", FallbackReason.TRANSPORT_ERROR, "second");
        routes.planned(refused("host-b"));
        routes.planned(allowed("host-b"));
        routes.handedBack("host-b", FallbackReason.TRANSPORT_ERROR, "third");

        assertThat(lines.said).filteredOn(line -> line.startsWith("WARN")).hasSize(2);
        assertThat(lines.said).anyMatch(line -> line.contains("(first)")).anyMatch(line -> line.contains("(third)"));
    }

    private static FetchPlan allowed(String host) {
        return new FetchPlan(host, List.of("shuffle_0_1_2"));
    }

    private static FetchPlan refused(String host) {
        FetchPlan plan = allowed(host);
        plan.refuseAll(FallbackReason.NO_AGENT);
        return plan;
    }

    /** Keeps what is logged, as level and text. */
    private static final class RecordingLogger extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;

        private final transient List<String> said = new ArrayList<>();

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String message,
                Object @Nullable [] arguments,
                @Nullable Throwable throwable) {
            said.add(level + " " + MessageFormatter.basicArrayFormat(message, arguments));
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return RouteLog.class.getName();
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
