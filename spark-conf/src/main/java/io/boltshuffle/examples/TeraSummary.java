package io.boltshuffle.examples;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Summarises one file of rows.
 *
 * @param checksum sum of the rows' checksums, whatever their order
 * @param first the first key in hexadecimal, null in an empty file
 * @param disorder the first row that is smaller than the one before it, or -1
 */
record TeraSummary(
        String file,
        long rows,
        long checksum,
        @Nullable String first,
        @Nullable String last,
        long disorder) implements Serializable {

    /** Reads {@code in} to its end; a length that is no multiple of a row is an error. */
    static TeraSummary of(String file, InputStream in) throws IOException {
        byte[] row = new byte[TeraRecord.ROW_BYTES];
        byte[] before = new byte[TeraRecord.ROW_BYTES];
        String first = null;
        long rows = 0;
        long checksum = 0;
        long disorder = -1;
        for (int read = in.readNBytes(row, 0, row.length); read > 0; read = in.readNBytes(row, 0, row.length)) {
            if (read < row.length) {
                throw new EOFException(file + " ends within row " + rows);
            }
            if (rows == 0) {
                first = key(row);
            } else if (disorder < 0 && TeraRecord.KEY_ORDER.compare(before, row) > 0) {
                disorder = rows;
            }
            rows++;
            checksum += TeraRecord.checksum(row);
            byte[] swap = before;
            before = row;
            row = swap;
        }
        return new TeraSummary(file, rows, checksum, first, first == null ? null : key(before), disorder);
    }

    /** Returns hexadecimal digits of fixed length, which compare as the bytes do. */
    private static String key(byte[] row) {
        return HexFormat.of().formatHex(row, 0, TeraRecord.KEY_BYTES);
    }

    /** Returns what is out of order within these files, or from each to the next. */
    static Optional<String> disorder(List<TeraSummary> files) {
        TeraSummary before = null;
        for (TeraSummary file : files) {
            if (file.disorder >= 0) {
                return Optional.of(file.file + ": row " + file.disorder + " is smaller than the row before it");
            }
            if (file.first == null) {
                continue;
            }
            if (before != null && before.last != null && before.last.compareTo(file.first) > 0) {
                return Optional.of(file.file + " begins below the end of " + before.file);
            }
            before = file;
        }
        return Optional.empty();
    }

    static long totalRows(List<TeraSummary> files) {
        return files.stream().mapToLong(TeraSummary::rows).sum();
    }

    static long totalChecksum(List<TeraSummary> files) {
        return files.stream().mapToLong(TeraSummary::checksum).sum();
    }
}
