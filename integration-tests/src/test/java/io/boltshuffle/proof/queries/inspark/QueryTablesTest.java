package io.boltshuffle.proof.queries.inspark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class QueryTablesTest {
    private static final String TABLE = "household_demographics";
    private static final double TINY = 0.001;
    private static final int FILES = 4;

    @Test
    void aTableIsSpreadOverItsFilesAndWhole(@TempDir Path directory) throws IOException {
        List<Row> generated = new ArrayList<>();
        Benchmark.TPCDS.rows(TABLE, TINY, 1, 1).forEachRemaining(generated::add);

        try (SparkSession spark = SparkSession.builder()
                .master("local[1]")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config(
                        "spark.sql.warehouse.dir",
                        directory.resolve("warehouse").toString())
                .getOrCreate()) {
            QueryTables.write(spark, Benchmark.TPCDS, TABLE, TINY, FILES, directory.toString());

            List<Path> files = parts(directory.resolve(TABLE));
            assertThat(files)
                    .hasSize(FILES)
                    .allSatisfy(file -> assertThat(rows(spark, file))
                            .hasSizeBetween(generated.size() / FILES - FILES, generated.size() / FILES + FILES));
            assertThat(RowDigest.of(rows(spark, directory.resolve(TABLE)))).isEqualTo(RowDigest.of(generated));
        }
    }

    private static List<Path> parts(Path table) throws IOException {
        try (Stream<Path> files = Files.list(table)) {
            return files.filter(file -> file.toString().endsWith(".parquet")).toList();
        }
    }

    private static List<Row> rows(SparkSession spark, Path file) {
        return spark.read()
                .schema(Benchmark.TPCDS.schema(TABLE))
                .parquet(file.toString())
                .collectAsList();
    }
}
