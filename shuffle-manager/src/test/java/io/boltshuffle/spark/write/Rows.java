package io.boltshuffle.spark.write;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import scala.Product2;
import scala.Tuple2;

/** Records that a test can make again. */
final class Rows implements Iterable<Product2<Object, Object>> {
    private final int count;
    private final IntFunction<Tuple2<Object, Object>> row;

    private Rows(int count, IntFunction<Tuple2<Object, Object>> row) {
        this.count = count;
        this.row = row;
    }

    /** Small ones, of texts that compress. */
    static Rows texts(int count, int keys) {
        return new Rows(count, index -> new Tuple2<>(index * 31 % keys, "value of " + index));
    }

    /** Arrays that do not compress, all of one size. */
    static Rows noise(int count, int keys, int bytes) {
        return new Rows(count, index -> {
            byte[] value = new byte[bytes];
            new Random(index).nextBytes(value);
            return new Tuple2<>(index % keys, value);
        });
    }

    /** Sizes from nothing to more than a block; almost all records have one key. */
    static Rows skewed(int count, int keys) {
        return new Rows(count, index -> {
            Random random = new Random(index);
            byte[] value = new byte[random.nextInt(50) == 0 ? 100_000 : random.nextInt(200)];
            random.nextBytes(value);
            return new Tuple2<>(index % 20 == 0 ? random.nextInt(keys) : 7, value);
        });
    }

    Tuple2<Object, Object> get(int index) {
        return row.apply(index);
    }

    /** The keys and values of each partition, in order. */
    List<List<Tuple2<Object, Object>>> byPartition(int partitions) {
        List<List<Tuple2<Object, Object>>> rows = Stream.generate(
                        () -> (List<Tuple2<Object, Object>>) new ArrayList<Tuple2<Object, Object>>())
                .limit(partitions)
                .toList();
        for (int index = 0; index < count; index++) {
            Tuple2<Object, Object> pair = get(index);
            rows.get(Math.floorMod(pair._1().hashCode(), partitions)).add(pair);
        }
        return rows;
    }

    int size() {
        return count;
    }

    @Override
    public Iterator<Product2<Object, Object>> iterator() {
        return new Iterator<>() {
            private int index;

            @Override
            public boolean hasNext() {
                return index < count;
            }

            @Override
            public Product2<Object, Object> next() {
                return get(index++);
            }
        };
    }
}
