package io.boltshuffle.proof.bench.inspark;

import static org.apache.spark.sql.functions.col;

import java.nio.ByteBuffer;
import java.util.Locale;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Queries as people type them into the cells of a notebook: small, over tables of 600,000 and 20,000 rows, each with
 * one shuffle or two.
 */
enum NotebookCell {
    GROUP("select store, count(*) as sales, sum(amount) as total from sales group by store"),
    TOP("select item, sum(amount) as total from sales group by item order by total desc, item limit 20"),
    JOIN("select kind, sum(amount * price) as total from sales join items using (item) group by kind"),
    SEMI_JOIN("select count(*) as sales from sales left semi join (select item from items where price > 90) "
            + "using (item)"),
    WINDOW("select store, max(place) as places from (select store, rank() over (partition by store order by "
            + "amount desc) as place from sales) group by store"),
    DISTINCT("select count(distinct customer) as customers, count(distinct item, store) as pairs from sales"),
    PIVOT("select * from (select store, day, amount from sales) pivot (sum(amount) for day in (0, 1, 2, 3, 4, 5, 6))"),
    SORT("select id, amount from sales order by amount, id"),
    REPARTITION("select /*+ REPARTITION(200, customer) */ id, amount from sales"),
    REDUCE_OBJECTS(""),
    PARTITION_BYTES("");

    static final long ROWS = 600_000;
    private static final long ITEMS = 20_000;
    private static final int PARTITIONS = 4;

    private final String sql;

    NotebookCell(String sql) {
        this.sql = sql;
    }

    /** Makes the tables known. Their rows are computed whenever a cell reads them. */
    static void tables(SparkSession session) {
        session.range(0, ROWS, 1, PARTITIONS)
                .selectExpr(
                        "id",
                        "pmod(hash(id, 1), 50) as store",
                        "pmod(hash(id, 2), " + ITEMS + ") as item",
                        "pmod(hash(id, 3), 100000) as customer",
                        "pmod(hash(id, 4), 7) as day",
                        "pmod(hash(id, 5), 100000) as amount")
                .createOrReplaceTempView("sales");
        session.range(0, ITEMS, 1, PARTITIONS)
                .selectExpr("cast(id as int) as item", "pmod(hash(id, 6), 100) as price", "pmod(hash(id), 30) as kind")
                .createOrReplaceTempView("items");
    }

    /** Runs the query. Returns its answer, which is the same with every shuffle. */
    String run(SparkSession session) {
        return switch (this) {
            case REDUCE_OBJECTS ->
                Long.toString(
                        amounts(session).reduceByKey(Long::sum, PARTITIONS).count());
            case PARTITION_BYTES ->
                Long.toString(amounts(session)
                        .mapValues(amount ->
                                ByteBuffer.allocate(Long.BYTES).putLong(amount).array())
                        .partitionBy(new HashPartitioner(PARTITIONS))
                        .values()
                        .map(bytes -> ByteBuffer.wrap(bytes).getLong())
                        .reduce(Long::sum));
            case SORT -> Long.toString(session.sql(sql).javaRDD().count());
            default -> answer(session.sql(sql));
        };
    }

    /** Returns pairs of objects, as an RDD of people's own classes has them. */
    private static JavaPairRDD<Long, Long> amounts(SparkSession session) {
        return session.table("sales")
                .select(col("customer").cast("long"), col("amount").cast("long"))
                .toJavaRDD()
                .mapToPair(row -> new Tuple2<>(row.getLong(0), row.getLong(1)));
    }

    private static String answer(Dataset<Row> rows) {
        Row totals = rows.selectExpr("count(*)", "bit_xor(xxhash64(*))").first();
        return totals.getLong(0) + " rows, " + Long.toHexString(totals.getLong(1));
    }

    /** Returns the name of the piece that measures it. */
    @Override
    public String toString() {
        return "notebook " + name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
