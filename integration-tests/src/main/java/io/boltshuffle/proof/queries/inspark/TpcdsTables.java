package io.boltshuffle.proof.queries.inspark;

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import io.trino.tpcds.column.Column;
import io.trino.tpcds.column.ColumnType;
import java.math.BigDecimal;
import java.sql.Date;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** All tables of TPC-DS that queries read. Characters are not padded; Spark's queries do not depend on it. */
final class TpcdsTables {

    private TpcdsTables() {}

    static List<String> names() {
        return Table.getBaseTables().stream()
                .filter(table -> table != Table.DBGEN_VERSION)
                .map(Table::getName)
                .toList();
    }

    static StructType schema(String table) {
        StructType schema = new StructType();
        for (Column column : Table.getTable(table).getColumns()) {
            schema = schema.add(column.getName(), type(column.getType()));
        }
        return schema;
    }

    static Iterator<Row> rows(String table, double scale, int part, int parts) {
        Table generated = Table.getTable(table);
        Session session = Session.getDefaultSession()
                .withScale(scale)
                .withParallelism(parts)
                .withChunkNumber(part)
                .withTable(generated);
        return StreamSupport.stream(Results.constructResults(generated, session).spliterator(), false)
                .map(rows -> row(generated, rows.get(0))) // a sale may come with the row of its return
                .iterator();
    }

    private static Row row(Table table, List<@Nullable String> values) {
        Column[] columns = table.getColumns();
        List<@Nullable Object> typed = new ArrayList<>(columns.length);
        for (int i = 0; i < columns.length; i++) {
            String text = values.get(i);
            typed.add(text == null ? null : value(columns[i].getType(), text));
        }
        return RowFactory.create(typed.toArray());
    }

    private static DataType type(ColumnType type) {
        return switch (type.getBase()) {
            case INTEGER -> DataTypes.IntegerType;
            case IDENTIFIER -> DataTypes.LongType;
            case DATE -> DataTypes.DateType;
            case DECIMAL ->
                DataTypes.createDecimalType(
                        type.getPrecision().orElseThrow(), type.getScale().orElseThrow());
            case VARCHAR, CHAR, TIME -> DataTypes.StringType;
        };
    }

    private static Object value(ColumnType type, String text) {
        return switch (type.getBase()) {
            case INTEGER -> Integer.valueOf(text);
            case IDENTIFIER -> Long.valueOf(text);
            case DATE -> Date.valueOf(text);
            case DECIMAL -> new BigDecimal(text);
            case VARCHAR, CHAR, TIME -> text;
        };
    }
}
