package io.boltshuffle.cli.doctor.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.boltshuffle.cli.doctor.SavedEvidence;
import io.boltshuffle.cli.doctor.fabric.Diagram.Box;
import io.boltshuffle.cli.doctor.fabric.Diagram.Line;
import io.boltshuffle.cli.doctor.fabric.Diagram.Transport;
import io.boltshuffle.topology.Cable;
import io.boltshuffle.topology.DeviceName;
import io.boltshuffle.topology.Host;
import io.boltshuffle.topology.Port;
import io.boltshuffle.topology.Topology;
import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class DrawingTest {

    @Test
    void textShowsHostsCablesAndATableOfPairs() {
        String text = TextDrawing.draw(Diagram.of(SavedEvidence.fabric(SavedEvidence.healthy("2-macs-27.0"))));

        assertThat(text).isEqualTo("""
                mac1  M5 Max, macOS 27.0
                mac2  M5 Max, macOS 27.0

                mac1  port 1 (en2)  ===== 80 Gb/s RDMA =====  port 2 (en4) mac2
                mac1  port 2 (en3)  ===== 80 Gb/s RDMA =====  port 1 (en3) mac2

                         mac1     mac2
                mac1     -        RDMA x2
                mac2     RDMA x2  -
                """);
    }

    @Test
    void aSlowCableAndAMissingOneAreDrawnDifferently() {
        assertThat(TextDrawing.draw(Diagram.of(SavedEvidence.fabric(SavedEvidence.fault("wrong-cable")))))
                .contains("- - - 40 Gb/s TCP over the cable - - -");
        assertThat(TextDrawing.draw(Diagram.of(SavedEvidence.fabric(SavedEvidence.fault("no-cable")))))
                .contains(". . . TCP, no cable . . .");
    }

    @Test
    void aFileIsDrawnWithoutSpeeds() {
        Topology topology = new Topology(
                List.of(new Host("a", List.of("10.0.0.1")), new Host("b")),
                List.of(new Cable(
                        new Port("a", new DeviceName("rdma_en5")), new Port("b", new DeviceName("rdma_en3")))));

        assertThat(TextDrawing.draw(Diagram.of(topology))).contains("a  en5  ===== RDMA =====  en3 b");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 12})
    void anSvgOfAnySizeIsWellFormedAndHasEveryHostAndCable(int hosts) throws Exception {
        List<Box> boxes = IntStream.range(0, hosts)
                .mapToObj(i -> new Box("mac" + i, "M4 <Pro> & \"co\""))
                .toList();
        List<Line> lines = IntStream.range(1, hosts)
                .mapToObj(i -> new Line(i - 1, i, "port 1", "port 2", "80 Gb/s", Transport.RDMA))
                .toList();

        Document document = parse(SvgDrawing.draw(new Diagram(boxes, lines)));

        assertThat(count(document, "rect", "host")).isEqualTo(hosts);
        assertThat(count(document, "rect", "port")).isEqualTo(2L * lines.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2-macs-27.0", "3-macs-26.4", "4-macs-26.5", "5-macs-27.0"})
    void noLabelCoversAnother(String cluster) throws Exception {
        Document document = parse(SvgDrawing.draw(Diagram.of(SavedEvidence.fabric(SavedEvidence.healthy(cluster)))));
        List<double[]> labels = boxes(document, "pill");

        assertThat(labels).hasSizeGreaterThan(2);
        for (int i = 0; i < labels.size(); i++) {
            for (int j = i + 1; j < labels.size(); j++) {
                assertThat(overlap(labels.get(i), labels.get(j)))
                        .as(i + " and " + j)
                        .isFalse();
            }
        }
    }

    @Test
    void anSvgNamesNoOutsideAsset() {
        String svg = SvgDrawing.draw(Diagram.of(SavedEvidence.fabric(SavedEvidence.healthy("3-macs-26.4"))));

        assertThat(svg.replace("xmlns=\"http://www.w3.org/2000/svg\"", "")).doesNotContain("http", "url(", "@import");
        assertThatCode(() -> parse(svg)).doesNotThrowAnyException();
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static long count(Document document, String element, String style) {
        return elements(document, element).stream()
                .filter(one -> one.getAttribute("class").equals(style))
                .count();
    }

    private static List<double[]> boxes(Document document, String style) {
        return elements(document, "rect").stream()
                .filter(one -> one.getAttribute("class").equals(style))
                .map(one ->
                        new double[] {number(one, "x"), number(one, "y"), number(one, "width"), number(one, "height")})
                .toList();
    }

    private static List<Element> elements(Document document, String name) {
        NodeList nodes = document.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    private static boolean overlap(double[] one, double[] other) {
        return one[0] < other[0] + other[2]
                && other[0] < one[0] + one[2]
                && one[1] < other[1] + other[3]
                && other[1] < one[1] + one[3];
    }
}
