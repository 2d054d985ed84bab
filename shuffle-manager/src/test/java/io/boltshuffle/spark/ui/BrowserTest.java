package io.boltshuffle.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tab within Spark's own UI, in a real browser. Skipped where there is none. Pictures stay in target/screenshots.
 */
@Tag("slow")
class BrowserTest {
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final String DARK = "--blink-settings=preferredColorScheme=0";
    private static final String LIGHT = "--blink-settings=preferredColorScheme=1";

    private Picture picture = new Picture(
            0, 0, Map.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
            List.of());
    private Chromium chromium;
    private SparkContext context;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        assumeTrue(Chromium.find().isPresent(), "no Chromium on the path: the page is not tried in a browser");
        chromium = new Chromium(Chromium.find().get(), directory.resolve("profile"));
        Files.createDirectories(SCREENSHOTS);
        context = new SparkContext(new SparkConf(false)
                .setMaster("local[1]")
                .setAppName("browser-test")
                .set("spark.ui.port", "0")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1"));
        BoltShuffleTab.attach(context.ui().get(), () -> picture, false);
    }

    @AfterEach
    void stop() {
        if (context != null) {
            context.stop();
        }
    }

    @Test
    void theWholePageIsThereWithNothingLoadedFromOutside() throws Exception {
        assertWhole(2);
    }

    @Tag("ci")
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5})
    void theWholePageOfOtherClustersIsThere(int hosts) throws Exception {
        assertWhole(hosts);
    }

    private void assertWhole(int hosts) throws Exception {
        picture = SamplePictures.of(hosts);

        String page = chromium.dom(url(), LIGHT);

        assertThat(page)
                .contains("Hosts and cables", "mac" + hosts + ".local", "RDMA share", "parquet at Features.java:61")
                .contains(
                        "no cable",
                        "Cable events",
                        "first look at &lt;sales&gt; (query 12)",
                        "no port of &lt;this&gt; host")
                .doesNotContain("<pulled>", "<agent>", "<this>");
        assertThat(page.split("<svg class=\"bolt-", -1)).hasSize(3);
        assertThat(page.replace(context.uiWebUrl().get(), "").replaceAll("http://www.w3.org/[^\"]*", ""))
                .doesNotContainPattern("(src|href)=\"(https?:)?//");
        chromium.screenshot(url(), screenshot(hosts + "-light"), LIGHT);
    }

    @Test
    void onADarkBackgroundItIsDark() throws Exception {
        picture = SamplePictures.of(4);
        chromium.screenshot(url(), screenshot("4-dark"), DARK);
        chromium.screenshot(url(), screenshot("4-light"), LIGHT);

        assertThat(brightness("4-dark")).isLessThan(80);
        assertThat(brightness("4-light")).isGreaterThan(200);
    }

    @Test
    void beforeTheFirstReportItSaysSo() throws Exception {
        assertThat(chromium.dom(url(), LIGHT)).contains("No executor has reported yet");
    }

    private String url() {
        return context.uiWebUrl().get() + "/boltshuffle/";
    }

    private static Path screenshot(String name) {
        return SCREENSHOTS.resolve(name + ".png").toAbsolutePath();
    }

    /** The mean of all pixels, from 0 to 255. */
    private static double brightness(String name) throws Exception {
        BufferedImage image = ImageIO.read(screenshot(name).toFile());
        long sum = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int pixel = image.getRGB(x, y);
                sum += (pixel >> 16 & 0xff) + (pixel >> 8 & 0xff) + (pixel & 0xff);
            }
        }
        return sum / 3.0 / image.getWidth() / image.getHeight();
    }
}
