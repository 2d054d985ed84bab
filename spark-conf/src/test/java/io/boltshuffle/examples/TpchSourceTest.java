package io.boltshuffle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TpchSourceTest {
    private static final double SCALE = 0.001;

    @ParameterizedTest
    @EnumSource
    void rowsFitTheirSchema(TpchSource table) {
        assertThat(table.rows(SCALE, 1, 1).next().length())
                .isEqualTo(table.schema().length());
    }

    @ParameterizedTest
    @EnumSource
    void thePartsMakeTheWhole(TpchSource table) {
        List<Row> parts = new ArrayList<>();
        for (int part = 1; part <= 3; part++) {
            table.rows(SCALE, part, 3).forEachRemaining(parts::add);
        }
        List<Row> whole = new ArrayList<>();
        Iterator<Row> all = table.rows(SCALE, 1, 1);
        all.forEachRemaining(whole::add);

        assertThat(parts).isEqualTo(whole).hasSizeGreaterThan(100);
    }
}
