package io.boltshuffle.spark.ui;

import java.util.function.Supplier;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.WebUIPage;
import scala.collection.immutable.Seq;
import scala.xml.Node;

/**
 * The page of the tab.
 *
 * <p>Spark 3.5 passes a request of {@code javax.servlet}, Spark 4 one of {@code jakarta.servlet}. Each version calls
 * the overload it knows, and the JVM never looks for the classes of the other.
 */
final class BoltShufflePage extends WebUIPage {
    private final SparkUITab tab;
    private final Supplier<Picture> pictures;
    private final boolean live;

    BoltShufflePage(SparkUITab tab, Supplier<Picture> pictures, boolean live) {
        super("");
        this.tab = tab;
        this.pictures = pictures;
        this.live = live;
    }

    /** Spark 4 calls this. */
    @Override
    public Seq<Node> render(jakarta.servlet.http.HttpServletRequest request) {
        return page(request);
    }

    /** Spark 3.5 calls this, which overrides its method. */
    public Seq<Node> render(javax.servlet.http.HttpServletRequest request) {
        return page(request);
    }

    private Seq<Node> page(Object request) {
        return SparkPage.of(request, "Boltshuffle", new PageBody(live).html(pictures.get()), tab);
    }
}
