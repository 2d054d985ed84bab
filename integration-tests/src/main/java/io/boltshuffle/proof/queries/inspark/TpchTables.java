package io.boltshuffle.proof.queries.inspark;

import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TextPool;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Date;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** All tables of TPC-H with all their columns; money is decimal, so that sums do not depend on their order. */
final class TpchTables {
    private static final int MONEY_PRECISION = 15;
    private static final int MONEY_SCALE = 2;

    private TpchTables() {}

    static List<String> names() {
        return TpchTable.getTables().stream().map(TpchTable::getTableName).toList();
    }

    static StructType schema(String table) {
        StructType schema = new StructType();
        for (TpchColumn<?> column : TpchTable.getTable(table).getColumns()) {
            schema = schema.add(column.getColumnName(), type(column));
        }
        return schema;
    }

    static Iterator<Row> rows(String table, double scale, int part, int parts) {
        return rows(TpchTable.getTable(table), generator(table, scale, part, parts));
    }

    @SuppressWarnings("unchecked") // the generator of a table makes that table's rows
    private static <E extends TpchEntity> Iterator<Row> rows(
            TpchTable<E> table, Iterable<? extends TpchEntity> entities) {
        List<TpchColumn<E>> columns = table.getColumns();
        return StreamSupport.stream(entities.spliterator(), false)
                .map(entity -> RowFactory.create(columns.stream()
                        .map(column -> value(column, (E) entity))
                        .toArray()))
                .iterator();
    }

    private static Iterable<? extends TpchEntity> generator(String table, double scale, int part, int parts) {
        Distributions words = Distributions.getDefaultDistributions();
        TextPool text = Texts.POOL;
        return switch (table) {
            case "customer" -> new CustomerGenerator(scale, part, parts, words, text);
            case "orders" -> new OrderGenerator(scale, part, parts, words, text);
            case "lineitem" -> new LineItemGenerator(scale, part, parts, words, text);
            case "part" -> new PartGenerator(scale, part, parts, words, text);
            case "partsupp" -> new PartSupplierGenerator(scale, part, parts, text);
            case "supplier" -> new SupplierGenerator(scale, part, parts, words, text);
            case "nation" -> part == 1 ? new NationGenerator(words, text) : List.of();
            case "region" -> part == 1 ? new RegionGenerator(words, text) : List.of();
            default -> throw new IllegalArgumentException("not a table of TPC-H: " + table);
        };
    }

    private static DataType type(TpchColumn<?> column) {
        return switch (column.getType().getBase()) {
            case INTEGER -> DataTypes.IntegerType;
            case IDENTIFIER -> DataTypes.LongType;
            case DATE -> DataTypes.DateType;
            case DOUBLE -> DataTypes.createDecimalType(MONEY_PRECISION, MONEY_SCALE);
            case VARCHAR -> DataTypes.StringType;
        };
    }

    private static <E extends TpchEntity> Object value(TpchColumn<E> column, E entity) {
        return switch (column.getType().getBase()) {
            case INTEGER -> column.getInteger(entity);
            case IDENTIFIER -> column.getIdentifier(entity);
            case DATE -> Date.valueOf(LocalDate.ofEpochDay(column.getDate(entity)));
            case DOUBLE -> BigDecimal.valueOf(column.getDouble(entity)).setScale(MONEY_SCALE, RoundingMode.HALF_UP);
            case VARCHAR -> column.getString(entity);
        };
    }

    /**
     * Provides a pool of a megabyte of text in place of the standard 300. It has all the words that queries look for.
     */
    private static final class Texts {
        static final TextPool POOL = new TextPool(1 << 20, Distributions.getDefaultDistributions());
    }
}
