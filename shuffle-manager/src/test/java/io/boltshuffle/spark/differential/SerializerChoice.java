package io.boltshuffle.spark.differential;

import com.esotericsoftware.kryo.Kryo;
import io.boltshuffle.spark.differential.ObjectInput.Node;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoRegistrator;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.sql.execution.UnsafeRowSerializer;

/** The serializer of a shuffle. */
sealed interface SerializerChoice {

    /** Creates the serializer for an application with such settings. */
    Serializer create(SparkConf conf);

    /** Returns whether what is read is what was written, down to the places where one object occurs twice. */
    default boolean isFaithful() {
        return true;
    }

    /** Returns whether the serializer fails in one direction. */
    default boolean fails() {
        return false;
    }

    /** Returns whether the serializer says that its objects may change places, and they may not. */
    default boolean isWrongAboutItself() {
        return false;
    }

    /** Returns whether the serializer's streams fail when they are closed. */
    default boolean failsToClose() {
        return false;
    }

    private static SparkConf with(SparkConf conf, String... settings) {
        SparkConf changed = conf.clone();
        for (int index = 0; index < settings.length; index += 2) {
            changed.set(settings[index], settings[index + 1]);
        }
        return changed;
    }

    /** Writes each object through Java's own streams. */
    record OfJava(String reset) implements SerializerChoice {
        @Override
        public Serializer create(SparkConf conf) {
            return new JavaSerializer(with(conf, "spark.serializer.objectStreamReset", reset));
        }
    }

    /** Whether Kryo knows the classes in advance, and whether it has to. */
    enum Registration {
        OPTIONAL,
        COMPLETE,
        /** Kryo refuses a class. */
        INCOMPLETE
    }

    record OfKryo(boolean references, Registration registration, boolean autoReset, boolean unsafe)
            implements SerializerChoice {
        @Override
        public Serializer create(SparkConf conf) {
            return new KryoSerializer(with(
                    conf,
                    "spark.kryo.referenceTracking",
                    String.valueOf(references),
                    "spark.kryo.registrationRequired",
                    String.valueOf(registration != Registration.OPTIONAL),
                    "spark.kryo.classesToRegister",
                    registration == Registration.COMPLETE
                            ? Node.class.getName() + "," + ArrayList.class.getName() + ",[Ljava.lang.Object;"
                            : "",
                    "spark.kryo.registrator",
                    autoReset ? "" : WithoutReset.class.getName(),
                    "spark.kryo.unsafe",
                    String.valueOf(unsafe)));
        }

        @Override
        public boolean isFaithful() {
            return references;
        }

        @Override
        public boolean fails() {
            return registration == Registration.INCOMPLETE;
        }
    }

    /** Has references reach over records, so that these cannot change places. Kryo's users set it like this. */
    final class WithoutReset implements KryoRegistrator {
        @Override
        public void registerClasses(Kryo kryo) {
            kryo.setAutoReset(false);
        }
    }

    /** Copies the bytes of SQL's rows. */
    record OfRows(int columns) implements SerializerChoice {
        @Override
        public Serializer create(SparkConf conf) {
            return new UnsafeRowSerializer(columns, null);
        }
    }

    record OfUser(UserSerializer serializer) implements SerializerChoice {
        @Override
        public Serializer create(SparkConf conf) {
            return serializer;
        }

        @Override
        public boolean isFaithful() {
            return !fails();
        }

        @Override
        public boolean fails() {
            return serializer.fails();
        }

        @Override
        public boolean isWrongAboutItself() {
            return serializer.isWrongAboutItself();
        }

        @Override
        public boolean failsToClose() {
            return serializer.failsToClose();
        }
    }

    static SerializerChoice draw(Drawing drawing, Input input) {
        if (input instanceof SqlInput rows) {
            return new OfRows(rows.columns().size());
        }
        return switch (drawing.oneOf("serializer", List.of("kryo", "kryo", "java", "user"))) {
            case "kryo" ->
                new OfKryo(
                        drawing.oneOf("kryo.references", true, false),
                        drawing.oneOf("kryo.registration", Registration.values()),
                        drawing.oneOf("kryo.autoReset", true, false),
                        drawing.flag("kryo.unsafe"));
            case "java" -> new OfJava(drawing.oneOf("java.reset", "100", "1", "-1"));
            default -> new OfUser(UserSerializer.draw(drawing));
        };
    }
}
