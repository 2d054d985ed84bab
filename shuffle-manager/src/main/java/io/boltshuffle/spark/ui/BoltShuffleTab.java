package io.boltshuffle.spark.ui;

import java.util.function.Supplier;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tab in an application's UI, and the same for programs at {@code /boltshuffle/json}. */
final class BoltShuffleTab extends SparkUITab {
    private static final Logger log = LoggerFactory.getLogger(BoltShuffleTab.class);

    private BoltShuffleTab(SparkUI ui) {
        super(ui, "boltshuffle");
    }

    /**
     * Attaches the tab. If this Spark's UI is not as expected, an application runs without it.
     *
     * @param live whether there is more to come, so that the page reloads itself
     */
    static void attach(SparkUI ui, Supplier<Picture> pictures, boolean live) {
        try {
            BoltShuffleTab tab = new BoltShuffleTab(ui);
            SparkJson.attach(
                    ui, "/boltshuffle/json", () -> StatusJson.of(pictures.get()).text());
            tab.attachPage(new BoltShufflePage(tab, pictures, live));
            ui.attachTab(tab);
        } catch (RuntimeException | LinkageError e) {
            log.warn("Spark's UI has no tab of boltshuffle: {}", e.toString());
            log.debug("The tab was not attached", e);
        }
    }
}
