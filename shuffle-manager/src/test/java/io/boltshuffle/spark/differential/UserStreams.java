package io.boltshuffle.spark.differential;

import io.boltshuffle.spark.differential.UserSerializer.Delay;
import io.boltshuffle.spark.differential.UserSerializer.Failure;
import io.boltshuffle.spark.differential.UserSerializer.Form;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/**
 * The streams of a {@link UserSerializer}. Reading demands what writing has to write, so that what a shuffle drops or
 * repeats is noticed.
 */
final class UserStreams {
    private static final char HEADER = 'H';
    private static final char OBJECT = 'O';
    private static final char REFERENCE = 'R';
    private static final char END = 'E';

    private UserStreams() {}

    static final class Writing extends SerializationStream {
        private final UserSerializer.Instance instance;
        private final Form form;
        private final Delay delay;
        private final OutputStream below;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final DataOutputStream out;
        private final Map<ByteBuffer, Integer> earlier = new HashMap<>();
        private boolean closed;

        Writing(UserSerializer.Instance instance, OutputStream below) {
            this.instance = instance;
            this.form = instance.serializer().form();
            this.delay = instance.serializer().delay();
            this.below = below;
            this.out = new DataOutputStream(delay == Delay.NONE ? below : kept);
            if (form.isFramed()) {
                unchecked(() -> out.writeByte(HEADER));
            }
        }

        @Override
        public <T> SerializationStream writeObject(T value, ClassTag<T> type) {
            instance.step(Failure.WRITE);
            unchecked(() -> {
                byte[] bytes = serialized(value);
                Integer reference =
                        form == Form.REMEMBERING ? earlier.putIfAbsent(ByteBuffer.wrap(bytes), earlier.size()) : null;
                out.writeByte(reference == null ? OBJECT : REFERENCE);
                out.writeInt(reference == null ? bytes.length : reference);
                if (reference == null) {
                    out.write(bytes);
                }
            });
            return this;
        }

        @Override
        public void flush() {
            instance.step(Failure.FLUSH);
            if (delay != Delay.UNTIL_CLOSE) {
                unchecked(this::pass);
            }
        }

        private void pass() throws IOException {
            kept.writeTo(below);
            kept.reset();
            below.flush();
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            instance.step(Failure.CLOSE);
            unchecked(() -> {
                if (form.isFramed() || form == Form.WITH_OPTIONAL_END) {
                    out.writeByte(END);
                }
                pass();
                below.close();
            });
        }
    }

    static final class Reading extends DeserializationStream {
        private final UserSerializer.Instance instance;
        private final Form form;
        private final DataInputStream in;
        private final List<byte[]> earlier = new ArrayList<>();
        private boolean begun;

        Reading(UserSerializer.Instance instance, InputStream below) {
            this.instance = instance;
            this.form = instance.serializer().form();
            this.in = new DataInputStream(below);
        }

        @Override
        @SuppressWarnings("unchecked") // the writer wrote such objects
        public <T> T readObject(ClassTag<T> type) {
            instance.step(Failure.READ);
            try {
                return (T) deserialized(next());
            } catch (IOException e) {
                Platform.throwException(e); // Spark takes an EOFException for the end of the stream
                throw new AssertionError(e);
            }
        }

        private byte[] next() throws IOException {
            if (form.isFramed() && !begun && in.readByte() != HEADER) {
                throw new StreamCorruptedException("a stream without a beginning");
            }
            begun = true;
            int tag = in.read();
            return switch (tag) {
                case OBJECT -> {
                    byte[] bytes = new byte[in.readInt()];
                    in.readFully(bytes);
                    earlier.add(bytes);
                    yield bytes;
                }
                case REFERENCE -> earlier.get(in.readInt());
                case END -> afterEnd();
                default -> {
                    if (tag < 0 && !form.isFramed()) {
                        throw new EOFException();
                    }
                    throw new StreamCorruptedException("a stream with a " + tag);
                }
            };
        }

        private byte[] afterEnd() throws IOException {
            if (form == Form.WITH_OPTIONAL_END) {
                return next();
            }
            if (in.read() < 0) {
                throw new EOFException();
            }
            throw new StreamCorruptedException("a stream that goes on after its end");
        }

        @Override
        public void close() {
            unchecked(in::close);
        }
    }

    private static byte[] serialized(@Nullable Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(value);
        }
        return bytes.toByteArray();
    }

    private static Object deserialized(byte[] bytes) throws IOException {
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return stream.readObject();
        } catch (ClassNotFoundException e) {
            throw new StreamCorruptedException(e.toString());
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Runs a step of a Scala stream, which declares no exception. */
    private static void unchecked(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            Platform.throwException(e);
        }
    }
}
