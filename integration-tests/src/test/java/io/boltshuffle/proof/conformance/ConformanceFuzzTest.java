package io.boltshuffle.proof.conformance;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.proof.conformance.SuiteResult.Difference;
import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;

/** Damages what suites, their JVMs and other runs of {@code bolt conformance} leave, and our own list. */
class ConformanceFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(
                FuzzTarget.ofText(
                        "conformance-result", ConformanceFuzzTest::merge, Set.of(BoltException.class), result()),
                FuzzTarget.ofText(
                        "suite-report",
                        report -> SuiteReports.tests(new StringReader(report)),
                        Set.of(XMLStreamException.class),
                        """
                        <?xml version="1.0" encoding="UTF-8" ?>
                        <testsuite errors="0" failures="1" name="a" tests="3">
                          <properties><property name="x" value="y"/></properties>
                          <testcase name="breaks" classname="a" time="0.1">
                            <failure message="&lt;no&gt;" type="x"><![CDATA[trace]]></failure>
                          </testcase>
                          <testcase name="waits" classname="a" time="0.0"><skipped/></testcase>
                        </testsuite>
                        """),
                FuzzTarget.ofText(
                        "suite-tally",
                        tally -> SuiteReports.tally(new StringReader(tally)),
                        Set.of(IllegalArgumentException.class),
                        "#Sun Nov 22 00:00:00 UTC 2026\nreaders=3\nbytes.rdma=100\n"),
                FuzzTarget.ofText(
                        "explanations",
                        Explanations::parse,
                        Set.of(IllegalArgumentException.class),
                        "# why\nSomeSuite | tcp, rdma | 4.1, 4.2 | a test | it counts files\n"));
    }

    private static void merge(String text) {
        ConformanceReport report = ConformanceReport.of(ResultDocument.parse(text));
        report.faults();
        report.toText();
        report.toMarkdown();
        Json.write(report.toJson());
    }

    private static String result() {
        Suite suite = SuiteCatalogue.named(List.of("BroadcastSuite")).get(0);
        SuiteResult result = new SuiteResult(
                suite,
                Map.of(
                        SuiteVariant.STOCK,
                        SuiteOutcome.lost(Map.of(), Duration.ZERO, "killed"),
                        SuiteVariant.RDMA,
                        new SuiteOutcome(
                                new TreeMap<>(Map.of("a", TestOutcome.PASSED, "b", TestOutcome.SKIPPED)),
                                Map.of("managers", 1L, "bytes.rdma", 7L),
                                Duration.ofSeconds(2))),
                List.of(new Difference(SuiteVariant.TCP, "c")));
        return Json.write(ConformanceReport.of(List.of(new LineResult("4.2.0", List.of(result), List.of("a leak"))))
                .toJson());
    }
}
