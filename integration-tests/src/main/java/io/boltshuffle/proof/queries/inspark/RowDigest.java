package io.boltshuffle.proof.queries.inspark;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.sql.Row;

/**
 * A digest of rows that does not depend on their order, nor on the order in which floating-point numbers were added:
 * they are rounded to nine digits.
 */
public final class RowDigest {
    private static final MathContext DIGITS = new MathContext(9);
    private static final int SHOWN_BYTES = 16;

    private RowDigest() {}

    public static String of(List<Row> rows) {
        MessageDigest digest = sha256();
        rows.stream().map(RowDigest::text).sorted().forEach(row -> {
            digest.update(row.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) '\n');
        });
        return HexFormat.of().formatHex(digest.digest(), 0, SHOWN_BYTES);
    }

    private static String text(Row row) {
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            Object value = row.get(column);
            text.append(value instanceof Double number ? rounded(number) : value)
                    .append('|');
        }
        return text.toString();
    }

    private static String rounded(double number) {
        return Double.isFinite(number)
                ? new BigDecimal(number).round(DIGITS).stripTrailingZeros().toPlainString()
                : Double.toString(number);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
