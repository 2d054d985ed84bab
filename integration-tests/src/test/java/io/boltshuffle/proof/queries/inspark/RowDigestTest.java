package io.boltshuffle.proof.queries.inspark;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;

class RowDigestTest {
    private static final Row ONE = RowFactory.create(1L, "a", new BigDecimal("1.20"), 0.1 + 0.2);
    private static final Row OTHER = RowFactory.create(2L, null, new BigDecimal("3.00"), Double.NaN);

    @Test
    void neitherTheOrderOfRowsNorThatOfAdditionsCounts() {
        Row rounded = RowFactory.create(1L, "a", new BigDecimal("1.20"), 0.3);
        assertThat(RowDigest.of(List.of(ONE, OTHER))).isEqualTo(RowDigest.of(List.of(OTHER, rounded)));
    }

    @Test
    void everyValueAndEveryRowCounts() {
        String both = RowDigest.of(List.of(ONE, OTHER));
        assertThat(both)
                .isNotEqualTo(RowDigest.of(List.of(ONE)))
                .isNotEqualTo(RowDigest.of(List.of(ONE, OTHER, OTHER)))
                .isNotEqualTo(
                        RowDigest.of(List.of(ONE, RowFactory.create(2L, "", new BigDecimal("3.00"), Double.NaN))));
    }
}
