package io.boltshuffle.proof.queries.inspark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TablesTest {
    private static final double TINY = 0.001;

    @ParameterizedTest
    @EnumSource(Benchmark.class)
    void everyTableHasRowsThatFitItsSchema(Benchmark benchmark) {
        for (String table : benchmark.tables()) {
            List<Row> first = first(benchmark.rows(table, TINY, 1, 1));
            assertThat(first).as(table).isNotEmpty().allSatisfy(row -> assertFits(benchmark, table, row));
        }
    }

    @ParameterizedTest
    @CsvSource({"TPCH, lineitem", "TPCH, nation", "TPCDS, item"})
    void partsAreTheWholeTable(Benchmark benchmark, String table) {
        List<Row> parts = new ArrayList<>(rows(benchmark, table, 1, 2));
        parts.addAll(rows(benchmark, table, 2, 2));
        assertThat(RowDigest.of(parts)).isEqualTo(RowDigest.of(rows(benchmark, table, 1, 1)));
    }

    private static List<Row> first(Iterator<Row> rows) {
        List<Row> first = new ArrayList<>();
        while (rows.hasNext() && first.size() < 100) {
            first.add(rows.next());
        }
        return first;
    }

    private static List<Row> rows(Benchmark benchmark, String table, int part, int parts) {
        List<Row> rows = new ArrayList<>();
        benchmark.rows(table, TINY, part, parts).forEachRemaining(rows::add);
        return rows;
    }

    private static void assertFits(Benchmark benchmark, String table, Row row) {
        StructField[] fields = benchmark.schema(table).fields();
        assertThat(row.size()).as(table).isEqualTo(fields.length);
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].dataType() instanceof DecimalType type && !row.isNullAt(i)) {
                Decimal value = Decimal.apply(row.getDecimal(i));
                assertThat(value.changePrecision(type.precision(), type.scale()))
                        .as(table + "." + fields[i].name() + " " + value)
                        .isTrue();
            }
        }
    }
}
