package io.boltshuffle.cli.conformance;

import io.boltshuffle.cli.base.BoltException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads what a suite leaves: ScalaTest's reports in JUnit's XML format, and the tallies of its JVMs. */
final class SuiteReports {

    private static final XMLInputFactory XML = factory();

    private SuiteReports() {}

    /** The tests of all reports in a directory; none where the suite did not come to its end. */
    static SortedMap<String, TestOutcome> tests(Path directory) {
        SortedMap<String, TestOutcome> tests = new TreeMap<>();
        for (Path report : files(directory, ".xml")) {
            try (Reader file = Files.newBufferedReader(report)) {
                read(XML.createXMLStreamReader(file), tests);
            } catch (XMLStreamException e) {
                throw BoltException.failed(report + " is no report of ScalaTest: " + e.getMessage());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return tests;
    }

    private static void read(XMLStreamReader xml, Map<String, TestOutcome> tests) throws XMLStreamException {
        String test = "";
        while (xml.hasNext()) {
            if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            switch (xml.getLocalName()) {
                case "testcase" -> {
                    test = xml.getAttributeValue(null, "name");
                    tests.put(test, TestOutcome.PASSED);
                }
                case "failure", "error" -> tests.put(test, TestOutcome.FAILED);
                case "skipped" -> tests.put(test, TestOutcome.SKIPPED);
                default -> {} // properties and output
            }
        }
    }

    /** The sum of all tallies in a directory. */
    static Map<String, Long> tally(Path directory) {
        Map<String, Long> sums = new HashMap<>();
        for (Path file : files(directory, ".properties")) {
            Properties tally = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                tally.load(reader);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            tally.stringPropertyNames()
                    .forEach(name -> sums.merge(name, Long.parseLong(tally.getProperty(name)), Long::sum));
        }
        return sums;
    }

    private static List<Path> files(Path directory, String ending) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }
}
