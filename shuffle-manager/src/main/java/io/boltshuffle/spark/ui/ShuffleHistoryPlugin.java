package io.boltshuffle.spark.ui;

import io.boltshuffle.spark.report.ReportJson;
import io.boltshuffle.spark.report.ShuffleReported;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * The tab in the history server, which finds this class by {@code META-INF/services} when the plugin's jar is on its
 * class path. Replay and display may happen in different processes, so the picture goes through the application's
 * store.
 */
public final class ShuffleHistoryPlugin implements AppHistoryServerPlugin {
    private static final Logger log = LoggerFactory.getLogger(ShuffleHistoryPlugin.class);

    /** Replays the event log, and stores the picture at its end. */
    private static final class ReplayListener extends StageListener {
        private final ShuffleHistory history;
        private long lastMillis;

        ReplayListener(ShuffleHistory history, ElementTrackingStore store) {
            super(history);
            this.history = history;
            store.onFlush(() -> {
                store(store);
                return BoxedUnit.UNIT;
            });
        }

        @Override
        public void onOtherEvent(SparkListenerEvent event) {
            super.onOtherEvent(event);
            if (event instanceof ShuffleReported reported) {
                history.reported(reported);
                lastMillis = reported.timeMillis();
            }
        }

        private void store(ElementTrackingStore store) {
            if (lastMillis > 0) {
                store.write(new StoredPicture(StoredPicture.ID, ReportJson.write(history.picture(lastMillis))));
            }
        }
    }

    @Override
    public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
        SparkListener listener = new ReplayListener(new ShuffleHistory(), store);
        return CollectionConverters.asScala(List.of(listener)).toList();
    }

    /** Attaches the tab, except to an application without reports. */
    @Override
    public void setupUI(SparkUI ui) {
        try {
            String json = ui.store()
                    .store()
                    .read(StoredPicture.class, StoredPicture.ID)
                    .json();
            Picture picture = ReportJson.read(json, Picture.class);
            BoltShuffleTab.attach(ui, () -> picture, false);
        } catch (NoSuchElementException e) {
            log.debug("{} did not report its shuffles", ui.getAppName());
        } catch (Exception e) { // whatever the store throws: the rest of the UI does not depend on us
            log.warn("The stored picture of {}'s shuffles cannot be read", ui.getAppName(), e);
        }
    }
}
