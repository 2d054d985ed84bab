package io.boltshuffle.proof.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class BarChartTest {
    @ParameterizedTest
    @CsvSource({"0, 1", "0.03, 0.05", "1, 1", "1.1, 2", "2.5, 5", "6, 10", "120, 200"})
    void theAxisEndsAtARoundNumber(double most, double end) {
        assertThat(ChartFrame.niceCeiling(most)).isCloseTo(end, within(1e-9));
    }

    @Test
    void barsAreAsHighAsTheirValuesAndPartsStandOnEachOther() throws Exception {
        BarChart chart = new BarChart(
                "a < b",
                "s",
                List.of("one", "two"),
                List.of(new BarChart.Group(
                        "group",
                        List.of(new BarChart.Bar("x", List.of(1.0, 3.0)), new BarChart.Bar("y", List.of(2.0, 0.0))))));

        double[] heights = heightsOfBars(chart.toSvg());

        assertThat(heights[1]).isCloseTo(3 * heights[0], within(0.5));
        assertThat(heights[2]).isCloseTo(2 * heights[0], within(0.5));
        assertThat(heights[3]).isZero();
    }

    /** Those of the legend left out. */
    private static double[] heightsOfBars(String svg) throws Exception {
        NodeList rectangles = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)))
                .getElementsByTagName("rect");
        return IntStream.range(2, rectangles.getLength())
                .mapToObj(i -> (Element) rectangles.item(i))
                .flatMapToDouble(bar -> DoubleStream.of(Double.parseDouble(bar.getAttribute("height"))))
                .toArray();
    }
}
