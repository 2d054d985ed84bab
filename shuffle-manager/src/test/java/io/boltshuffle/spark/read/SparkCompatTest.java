package io.boltshuffle.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SparkCompatTest {

    /** Constructors as the versions of Spark have them. */
    @SuppressWarnings("unused") // called by reflection
    static final class Sorter {
        final String made;

        public Sorter(String name, Integer size) {
            made = name + size;
        }

        public Sorter(String name, Integer size, Long[] checksums) {
            made = name + size + Arrays.toString(checksums);
        }

        public Sorter(String name, Integer size, String somethingNew) {
            made = name + size + somethingNew;
        }
    }

    @Test
    void aConstructorOfTheExpectedLengthIsCalledAsItIs() throws Throwable {
        Constructor<?> older = Sorter.class.getConstructor(String.class, Integer.class);

        assertThat(((Sorter) SparkCompat.withoutTrailingArray(older, 2).invoke("a", 1)).made)
                .isEqualTo("a1");
    }

    @Test
    void anAddedArrayIsPassedEmpty() throws Throwable {
        Constructor<?> newer = Sorter.class.getConstructor(String.class, Integer.class, Long[].class);

        assertThat(((Sorter) SparkCompat.withoutTrailingArray(newer, 2).invoke("a", 1)).made)
                .isEqualTo("a1[]");
    }

    @Test
    void anyOtherConstructorIsRefusedByName() throws NoSuchMethodException {
        Constructor<?> unknown = Sorter.class.getConstructor(String.class, Integer.class, String.class);

        assertThatIllegalStateException()
                .isThrownBy(() -> SparkCompat.withoutTrailingArray(unknown, 2))
                .withMessageContaining("not made for this Spark")
                .withMessageContaining("Sorter");
    }
}
