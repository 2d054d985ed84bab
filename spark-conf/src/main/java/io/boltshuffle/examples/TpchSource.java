package io.boltshuffle.examples;

import io.trino.tpch.Customer;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.Part;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.TextPool;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/**
 * The TPC-H tables from which the features come, without their free-text columns. Money is decimal, so that sums do not
 * depend on their order and two runs can be compared row by row; dates are day numbers.
 */
enum TpchSource {
    CUSTOMER("c_custkey BIGINT, c_nationkey BIGINT, c_mktsegment STRING, c_acctbal DECIMAL(12,2)"),
    ORDERS("o_orderkey BIGINT, o_custkey BIGINT, o_orderday INT, o_orderpriority STRING, o_totalprice DECIMAL(12,2)"),
    LINEITEM("l_orderkey BIGINT, l_partkey BIGINT, l_suppkey BIGINT, l_quantity BIGINT, l_price DECIMAL(12,2), "
            + "l_discount BIGINT, l_returnflag STRING, l_shipmode STRING, l_shipday INT, l_receiptday INT"),
    PART("p_partkey BIGINT, p_brand STRING, p_size INT, p_retailprice DECIMAL(12,2)");

    private final String columns;

    TpchSource(String columns) {
        this.columns = columns;
    }

    StructType schema() {
        return StructType.fromDDL(columns);
    }

    /** Returns the rows of one part, 1 to {@code parts}; all parts together are the table at that scale. */
    Iterator<Row> rows(double scale, int part, int parts) {
        Distributions words = Distributions.getDefaultDistributions();
        TextPool text = Comments.POOL;
        return switch (this) {
            case CUSTOMER -> rows(new CustomerGenerator(scale, part, parts, words, text), TpchSource::customer);
            case ORDERS -> rows(new OrderGenerator(scale, part, parts, words, text), TpchSource::order);
            case LINEITEM -> rows(new LineItemGenerator(scale, part, parts, words, text), TpchSource::lineItem);
            case PART -> rows(new PartGenerator(scale, part, parts, words, text), TpchSource::part);
        };
    }

    private static <T> Iterator<Row> rows(Iterable<T> entities, Function<T, Row> toRow) {
        return StreamSupport.stream(entities.spliterator(), false).map(toRow).iterator();
    }

    /**
     * Provides text for comments, which are generated and dropped. A small pool of text serves as well as the standard
     * 300 MB.
     */
    private static final class Comments {
        static final TextPool POOL = new TextPool(1 << 20, Distributions.getDefaultDistributions());
    }

    private static Row customer(Customer c) {
        return RowFactory.create(
                c.getCustomerKey(),
                c.getNationKey(),
                c.getMarketSegment(),
                BigDecimal.valueOf(c.getAccountBalanceInCents(), 2));
    }

    private static Row order(Order o) {
        return RowFactory.create(
                o.getOrderKey(),
                o.getCustomerKey(),
                o.getOrderDate(),
                o.getOrderPriority(),
                BigDecimal.valueOf(o.getTotalPriceInCents(), 2));
    }

    private static Row lineItem(LineItem l) {
        return RowFactory.create(
                l.getOrderKey(),
                l.getPartKey(),
                l.getSupplierKey(),
                l.getQuantity(),
                BigDecimal.valueOf(l.getExtendedPriceInCents(), 2),
                l.getDiscountPercent(),
                l.getReturnFlag(),
                l.getShipMode(),
                l.getShipDate(),
                l.getReceiptDate());
    }

    private static Row part(Part p) {
        return RowFactory.create(
                p.getPartKey(), p.getBrand(), p.getSize(), BigDecimal.valueOf(p.getRetailPriceInCents(), 2));
    }
}
