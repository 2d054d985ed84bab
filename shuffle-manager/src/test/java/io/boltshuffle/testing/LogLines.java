package io.boltshuffle.testing;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/**
 * The lines of the plugin's loggers from INFO on, each event with its stack trace, while this is open.
 *
 * <p><b>Threads:</b> any.
 */
public final class LogLines implements AutoCloseable {

    private static final String LOGGER = "io.boltshuffle";

    private final Collector collector = new Collector();

    /** Begins to listen. */
    public LogLines() {
        collector.start();
        config().addAppender(collector, Level.INFO, null);
    }

    private static LoggerConfig config() {
        return ((LoggerContext) LogManager.getContext(false)).getConfiguration().getLoggerConfig(LOGGER);
    }

    private static final class Collector extends AbstractAppender {
        private final List<String> said = new ArrayList<>();

        Collector() {
            super("collector of the test", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public synchronized void append(LogEvent event) {
            Throwable thrown = event.getThrown();
            said.add(event.getMessage().getFormattedMessage() + (thrown == null ? "" : "\n" + thrown));
        }

        synchronized List<String> said() {
            return List.copyOf(said);
        }
    }

    /** Returns what was said so far; an exception begins a line of its own. */
    public List<String> said() {
        return collector.said();
    }

    @Override
    public void close() {
        config().removeAppender(collector.getName());
        collector.stop();
    }
}
