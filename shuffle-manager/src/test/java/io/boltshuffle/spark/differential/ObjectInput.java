package io.boltshuffle.spark.differential;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import scala.Product2;
import scala.Tuple2;

/** Pairs of objects of a user's RDD. */
record ObjectInput(Records records, Kind kind) implements Input {

    enum Kind {
        INTS,
        TEXTS,
        BYTES,
        LONGS,
        /** A value has the same object twice, and all values of a map task have one in common. */
        SHARED,
        NESTED,
        /** Each record has types of its own, and some are null. */
        MIXED
    }

    /** The kinds from which mixed records are drawn. */
    private static final List<Kind> SIMPLE = List.copyOf(EnumSet.complementOf(EnumSet.of(Kind.MIXED)));

    /** A user's class. */
    static final class Node implements Serializable {
        private static final long serialVersionUID = 1;

        final String name;
        final @Nullable Object left;
        final @Nullable Object right;
        final List<Object> more = new ArrayList<>();

        Node(String name, @Nullable Object left, @Nullable Object right) {
            this.name = name;
            this.left = left;
            this.right = right;
        }
    }

    static ObjectInput draw(Drawing drawing, Records records) {
        return new ObjectInput(records, drawing.oneOf("objects", Kind.values()));
    }

    @Override
    public int count() {
        return records.count();
    }

    @Override
    public Iterator<Product2<Object, Object>> records(int map) {
        Node common = new Node("of all records", map, null);
        return Stream.iterate(0, index -> index < count(), index -> index + 1)
                .map(index -> {
                    RandomGenerator random = records.of(map, index);
                    return record(kind, random, records.bytesOf(index), common);
                })
                .iterator();
    }

    @SuppressWarnings("NullAway") // a user's keys and values may be null
    private static Product2<Object, Object> record(Kind kind, RandomGenerator random, int bytes, Node common) {
        int number = random.nextInt();
        return switch (kind) {
            case INTS -> new Tuple2<>(number, random.nextInt());
            case TEXTS -> new Tuple2<>("key " + number, Records.text(random, bytes));
            case BYTES -> new Tuple2<>(number, Records.bytes(random, bytes));
            case LONGS ->
                new Tuple2<>((long) number, random.longs(bytes / Long.BYTES).toArray());
            case SHARED -> {
                byte[] twice = Records.bytes(random, bytes);
                yield new Tuple2<>(number, new Node("shared", new Object[] {twice, common}, twice));
            }
            case NESTED -> new Tuple2<>("key " + number, nested(random, bytes, 4));
            case MIXED -> {
                int choice = random.nextInt(8);
                yield switch (choice) {
                    case 0 -> new Tuple2<>(null, number);
                    case 1 -> new Tuple2<>(number, null);
                    case 2 -> new Tuple2<>(random.nextDouble(), random.nextBoolean());
                    default -> record(SIMPLE.get(choice % SIMPLE.size()), random, bytes, common);
                };
            }
        };
    }

    private static Node nested(RandomGenerator random, int bytes, int depth) {
        Node node = depth == 0
                ? new Node("leaf", Records.bytes(random, Math.max(2, bytes / 8)), null)
                : new Node("inner", nested(random, bytes, depth - 1), random.nextLong());
        for (int more = random.nextInt(3); more > 0; more--) {
            node.more.add(random.nextInt(1_000));
        }
        return node;
    }
}
