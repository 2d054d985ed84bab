package io.boltshuffle.spark.differential;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;

/** A serializer such as users write: with a frame around each object, and with habits that Spark allows. */
final class UserSerializer extends Serializer implements Serializable {
    private static final long serialVersionUID = 1;

    /** How its streams relate to each other. */
    enum Form {
        /** Objects stand for themselves: they may change places. */
        PLAIN,
        /** The same, and a stream ends with bytes that may be missing. */
        WITH_OPTIONAL_END,
        /** A stream begins and ends with bytes that a reader needs, so that streams cannot be concatenated. */
        FRAMED,
        /** The same, though the serializer says that its objects may change places. */
        FRAMED_AND_WRONG,
        /** An object that equals an earlier one of the stream is written as a reference to it. */
        REMEMBERING;

        boolean isRelocatable() {
            return this == PLAIN || this == WITH_OPTIONAL_END;
        }

        boolean isFramed() {
            return this == FRAMED || this == FRAMED_AND_WRONG;
        }
    }

    /** The moment at which its bytes get to the stream below. */
    enum Delay {
        NONE,
        UNTIL_FLUSH,
        UNTIL_CLOSE
    }

    /** The call that fails. */
    enum Failure {
        NONE,
        WRITE,
        FLUSH,
        CLOSE,
        READ
    }

    /** So many objects are written or read before that fails. */
    private static final int WELL = 20;

    private final Form form;
    private final Delay delay;
    private final Failure failure;

    private UserSerializer(Form form, Delay delay, Failure failure) {
        this.form = form;
        this.delay = delay;
        this.failure = failure;
    }

    static UserSerializer draw(Drawing drawing) {
        Form form = drawing.oneOf("user.form", Form.values());
        // Objects that may change places have to be in the stream below after each flush.
        Delay delay = form.isRelocatable()
                ? drawing.oneOf("user.delayToFlush", Delay.NONE, Delay.UNTIL_FLUSH)
                : drawing.oneOf("user.delay", Delay.values());
        boolean fails = drawing.oneOf("user.fails", false, false, true);
        return new UserSerializer(
                form,
                delay,
                fails
                        ? drawing.oneOf("user.failure", Failure.WRITE, Failure.FLUSH, Failure.CLOSE, Failure.READ)
                        : Failure.NONE);
    }

    Form form() {
        return form;
    }

    Delay delay() {
        return delay;
    }

    boolean failsToClose() {
        return failure == Failure.CLOSE;
    }

    boolean fails() {
        return failure != Failure.NONE;
    }

    /** Returns whether what was written can be read only where each partition has a stream of its own. */
    boolean isWrongAboutItself() {
        return form == Form.FRAMED_AND_WRONG;
    }

    @Override
    public boolean supportsRelocationOfSerializedObjects() {
        return form.isRelocatable() || isWrongAboutItself();
    }

    @Override
    public Instance newInstance() {
        return new Instance();
    }

    final class Instance extends SerializerInstance {
        private int objects;

        UserSerializer serializer() {
            return UserSerializer.this;
        }

        /** Fails if this is to fail at such a step. */
        void step(Failure step) {
            boolean isEarly = (step == Failure.WRITE || step == Failure.READ) && ++objects <= WELL;
            if (step == failure && !isEarly) {
                throw new UnsupportedOperationException("the serializer fails: " + step);
            }
        }

        @Override
        public SerializationStream serializeStream(OutputStream stream) {
            return new UserStreams.Writing(this, stream);
        }

        @Override
        public DeserializationStream deserializeStream(InputStream stream) {
            return new UserStreams.Reading(this, stream);
        }

        @Override
        public <T> ByteBuffer serialize(T value, ClassTag<T> type) {
            throw new IllegalStateException("a shuffle serializes streams");
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassTag<T> type) {
            throw new IllegalStateException("a shuffle deserializes streams");
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> type) {
            throw new IllegalStateException("a shuffle deserializes streams");
        }
    }
}
