package io.boltshuffle.spark.ui;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a name for a stage. Adaptive execution submits the stages of a query from threads of its own, so Spark names
 * each of them after that thread's place in Spark's code. People know better the description that the program gave its
 * job, or else what Spark's SQL page says about the query.
 *
 * <p><b>Threads:</b> Spark calls a listener on one at a time.
 */
final class StageNames {
    private static final Logger log = LoggerFactory.getLogger(StageNames.class);
    private static final int MAX_QUERIES = 1_000;
    private static final int MAX_CHARACTERS = 200;
    private static final String JOB_DESCRIPTION = "spark.job.description";
    private static final String QUERY_ID = "spark.sql.execution.id";

    /** The line from which Python calls, which is the same whatever it calls. */
    private static final String FROM_PYTHON = " at NativeMethodAccessorImpl.java:0";

    /** This class belongs to spark-sql, which an application of spark-core alone does not have. */
    private static final String QUERY_STARTS = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart";

    private final Map<String, String> queries = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MAX_QUERIES;
        }
    };

    private boolean told;

    void heard(SparkListenerEvent event) {
        if (event.getClass().getName().equals(QUERY_STARTS)) {
            try {
                started(read(event, "executionId"), read(event, "description"));
            } catch (ReflectiveOperationException e) {
                if (!told) {
                    log.warn("Stages of queries keep Spark's names, because of {}", e.toString());
                    told = true;
                }
            }
        }
    }

    private static String read(SparkListenerEvent event, String name) throws ReflectiveOperationException {
        Method accessor = event.getClass().getMethod(name);
        return Objects.toString(accessor.invoke(event), "");
    }

    void started(String queryId, String description) {
        queries.put(queryId, description);
    }

    /** @param properties of the job; Spark has none for some */
    String of(String stageName, @Nullable Properties properties) {
        if (properties == null) {
            return stageName;
        }
        String queryId = properties.getProperty(QUERY_ID, "");
        String description = properties
                .getProperty(JOB_DESCRIPTION, queries.getOrDefault(queryId, ""))
                .replace(FROM_PYTHON, "");
        if (description.isBlank()) {
            return stageName;
        }
        String shortened = description.codePointCount(0, description.length()) <= MAX_CHARACTERS
                ? description
                : description.substring(0, description.offsetByCodePoints(0, MAX_CHARACTERS)) + "...";
        return queryId.isEmpty() ? shortened : shortened + " (query " + queryId + ")";
    }
}
