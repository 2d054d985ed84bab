package io.boltshuffle.spark.differential;

import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import scala.Product2;

/** The records of map tasks. An input makes the same records each time it is asked. */
sealed interface Input permits SqlInput, ObjectInput {

    /** One of so many records is large, if some are. */
    int ONE_IS_LARGE = 97;

    int count();

    /** Returns the records of one map task; they are of use until the next one is asked for. */
    Iterator<Product2<Object, Object>> records(int map);

    static Input draw(Drawing drawing) {
        boolean rows = drawing.flag("rows");
        Records records = new Records(
                drawing.oneOf("records", 100, 100, 0, 1, 17, 400, 400, 1_500),
                drawing.oneOf("recordBytes", 40, 1_000),
                drawing.oneOf("largeBytes", 0, 0, 40_000, 100_000),
                drawing.number("data", 0, 1_000_000));
        return rows ? SqlInput.draw(drawing, records) : ObjectInput.draw(drawing, records);
    }

    /**
     * How many records there are, and of what size.
     *
     * @param bytes how many bytes of data a record has, about
     * @param largeBytes how many a large one has; 0 if there are none
     * @param seed of all data
     */
    record Records(int count, int bytes, int largeBytes, long seed) {

        /** Returns the random numbers of which one record is made. */
        RandomGenerator of(int map, int index) {
            return new SplittableRandom(seed * 1_000_003 + map * 100_003L + index);
        }

        int bytesOf(int index) {
            return largeBytes > 0 && index % ONE_IS_LARGE == ONE_IS_LARGE / 2 ? largeBytes : bytes;
        }

        /** Returns data of about that size, of which some can be compressed. */
        static byte[] bytes(RandomGenerator random, int about) {
            byte[] bytes = new byte[random.nextInt(about / 2, about * 2)];
            if (random.nextBoolean()) {
                random.nextBytes(bytes);
            }
            return bytes;
        }

        static String text(RandomGenerator random, int about) {
            String word = List.of("shuffle ", "é", "\uD83D\uDE00 ", String.valueOf(random.nextLong()))
                    .get(random.nextInt(4));
            return word.repeat(Math.max(1, random.nextInt(about / 2, about * 2) / word.length()));
        }
    }
}
