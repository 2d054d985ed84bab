package io.boltshuffle.spark.ui;

import java.util.function.Supplier;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;

/** The tab in an application's UI, and the same for programs at {@code /boltshuffle/json}. */
final class BoltShuffleTab extends SparkUITab {

    private BoltShuffleTab(SparkUI ui) {
        super(ui, "boltshuffle");
    }

    /**
     * Attaches the tab.
     *
     * @param live whether there is more to come, so that the page reloads itself
     */
    static void attach(SparkUI ui, Supplier<Picture> pictures, boolean live) {
        BoltShuffleTab tab = new BoltShuffleTab(ui);
        SparkJson.attach(
                ui, "/boltshuffle/json", () -> StatusJson.of(pictures.get()).text());
        tab.attachPage(new BoltShufflePage(tab, pictures, live));
        ui.attachTab(tab);
    }
}
