package io.boltshuffle.proof.conformance;

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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the files of a suite's run: ScalaTest's reports in JUnit's XML format, and the tallies of its JVMs. */
final class SuiteReports {

    private static final XMLInputFactory XML = factory();
    private static final Pattern COUNT = Pattern.compile("\\d{1,18}");

    private SuiteReports() {}

    /** Returns the tests of all reports in a directory; none if the suite did not end. */
    static SortedMap<String, TestOutcome> tests(Path directory) {
        SortedMap<String, TestOutcome> tests = new TreeMap<>();
        for (Path report : files(directory, ".xml")) {
            try (Reader file = Files.newBufferedReader(report)) {
                tests.putAll(tests(file));
            } catch (XMLStreamException e) {
                throw BoltException.failed(report + " is no report of ScalaTest: " + e.getMessage());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return tests;
    }

    static Map<String, TestOutcome> tests(Reader report) throws XMLStreamException {
        Map<String, TestOutcome> tests = new HashMap<>();
        XMLStreamReader xml = XML.createXMLStreamReader(report);
        String test = "";
        while (xml.hasNext()) {
            if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            switch (xml.getLocalName()) {
                case "testcase" -> {
                    test = String.valueOf(xml.getAttributeValue(null, "name"));
                    tests.put(test, TestOutcome.PASSED);
                }
                case "failure", "error" -> tests.put(test, TestOutcome.FAILED);
                case "skipped" -> tests.put(test, TestOutcome.SKIPPED);
                default -> {} // properties and output
            }
        }
        return tests;
    }

    /** Returns the sum of all tallies in a directory. */
    static Map<String, Long> tally(Path directory) {
        Map<String, Long> sums = new HashMap<>();
        for (Path file : files(directory, ".properties")) {
            try (Reader tally = Files.newBufferedReader(file)) {
                tally(tally).forEach((name, value) -> sums.merge(name, value, Long::sum));
            } catch (IllegalArgumentException e) {
                throw BoltException.failed(file + " is no tally: " + e.getMessage());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sums;
    }

    /** Reads a tally. It ignores a line that a killed JVM left incomplete, because sums are lower bounds anyway. */
    static Map<String, Long> tally(Reader file) throws IOException {
        Properties lines = new Properties();
        lines.load(file);
        Map<String, Long> tally = new HashMap<>();
        for (String name : lines.stringPropertyNames()) {
            String value = lines.getProperty(name);
            if (COUNT.matcher(value).matches()) {
                tally.put(name, Long.parseLong(value));
            }
        }
        return tally;
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
