package io.boltshuffle.proof.queries.inspark;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** The two sets of tables. A constant travels to tasks by its name, so generators need not be serializable. */
enum Benchmark {
    TPCH {
        @Override
        List<String> tables() {
            return TpchTables.names();
        }

        @Override
        StructType schema(String table) {
            return TpchTables.schema(table);
        }

        @Override
        Iterator<Row> rows(String table, double scale, int part, int parts) {
            return TpchTables.rows(table, scale, part, parts);
        }
    },
    TPCDS {
        @Override
        List<String> tables() {
            return TpcdsTables.names();
        }

        @Override
        StructType schema(String table) {
            return TpcdsTables.schema(table);
        }

        @Override
        Iterator<Row> rows(String table, double scale, int part, int parts) {
            return TpcdsTables.rows(table, scale, part, parts);
        }
    };

    static Benchmark named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    abstract List<String> tables();

    abstract StructType schema(String table);

    /** Returns the rows of one part, 1 to {@code parts}; all parts together are the table at that scale. */
    abstract Iterator<Row> rows(String table, double scale, int part, int parts);
}
