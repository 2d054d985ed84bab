package io.boltshuffle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TeraValidateTest {
    private static final int ROWS = 200;

    private final List<byte[]> sorted = new ArrayList<>();
    private List<TeraSummary> input = List.of();

    @BeforeEach
    void twoInputFilesAndTheirRowsInOrder() throws IOException {
        List<byte[]> rows = LongStream.range(0, ROWS).mapToObj(TeraRecord::row).toList();
        input = List.of(file("part-0", rows.subList(0, 90)), file("part-1", rows.subList(90, ROWS)));
        sorted.addAll(rows);
        sorted.sort(TeraRecord.KEY_ORDER);
    }

    @Test
    void theSortedInputIsRightHoweverItIsCutIntoFiles() throws IOException {
        assertThat(TeraValidate.fault(input, output(sorted, 50))).isEmpty();
        assertThat(TeraValidate.fault(input, output(sorted, ROWS))).isEmpty();
    }

    @Test
    void anEmptyFileBetweenTwoOthersIsNoFault() throws IOException {
        List<TeraSummary> output = new ArrayList<>(output(sorted, 100));
        output.add(1, file("empty", List.of()));

        assertThat(TeraValidate.fault(input, output)).isEmpty();
    }

    @Test
    void twoSwappedRowsAreFoundWithinAFile() throws IOException {
        Collections.swap(sorted, 10, 11);

        assertThat(TeraValidate.fault(input, output(sorted, 100)))
                .hasValueSatisfying(fault -> assertThat(fault).contains("row 11 is smaller"));
    }

    @Test
    void twoSwappedRowsAreFoundAcrossFiles() throws IOException {
        Collections.swap(sorted, 99, 100);

        assertThat(TeraValidate.fault(input, output(sorted, 100)))
                .hasValueSatisfying(fault -> assertThat(fault).contains("begins below the end of"));
    }

    @Test
    void aLostRowIsFound() throws IOException {
        sorted.remove(17);

        assertThat(TeraValidate.fault(input, output(sorted, 50))).contains("199 rows in place of 200");
    }

    @Test
    void aRowInPlaceOfAnotherIsFound() throws IOException {
        sorted.set(17, sorted.get(16));

        assertThat(TeraValidate.fault(input, output(sorted, 50)))
                .hasValueSatisfying(fault -> assertThat(fault).contains("checksum"));
    }

    @Test
    void anyChangedByteIsFound() throws IOException {
        for (int at = 0; at < TeraRecord.ROW_BYTES; at++) {
            List<byte[]> changed = new ArrayList<>(sorted);
            byte[] row = changed.get(42).clone();
            row[at] ^= 1;
            changed.set(42, row);

            assertThat(TeraValidate.fault(input, output(changed, 50)))
                    .as("byte %s", at)
                    .isPresent();
        }
    }

    @Test
    void aFileThatEndsWithinARowIsAnError() {
        byte[] torn = new byte[TeraRecord.ROW_BYTES + 1];

        assertThatThrownBy(() -> TeraSummary.of("torn", new ByteArrayInputStream(torn)))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("torn ends within row 1");
    }

    private static List<TeraSummary> output(List<byte[]> rows, int rowsPerFile) throws IOException {
        List<TeraSummary> files = new ArrayList<>();
        for (int at = 0; at < rows.size(); at += rowsPerFile) {
            files.add(file("part-" + files.size(), rows.subList(at, Math.min(rows.size(), at + rowsPerFile))));
        }
        return files;
    }

    private static TeraSummary file(String name, List<byte[]> rows) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] row : rows) {
            bytes.write(row);
        }
        return TeraSummary.of(name, new ByteArrayInputStream(bytes.toByteArray()));
    }
}
