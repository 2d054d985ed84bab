package io.boltshuffle.testing;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A number for the state of an object and of all that it leads to, pending tasks with what they captured included:
 * equal states have equal numbers, different ones almost surely different numbers. Follows the fields of this project's
 * classes only; those that lead to what is no state, or is better told in a word, are given a word.
 */
public final class StateDigest {

    private static final String OURS = "io.boltshuffle.";
    private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();

    private final Map<Class<?>, ToLongFunction<Object>> words = new HashMap<>();

    /** Tells an object of this class by a number of its own. */
    public <T> StateDigest tell(Class<T> type, ToLongFunction<T> word) {
        words.put(type, object -> word.applyAsLong(type.cast(object)));
        return this;
    }

    /** Passes objects of these classes over. */
    public StateDigest ignore(Class<?>... types) {
        for (Class<?> type : types) {
            words.put(type, object -> 1);
        }
        return this;
    }

    public long of(Object... roots) {
        Walk walk = new Walk();
        walk.visit(roots);
        return walk.hash;
    }

    private final class Walk {
        private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
        private long hash = 1;

        void add(long value) {
            hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }

        void visit(@Nullable Object object) {
            if (object == null) {
                add(0);
                return;
            }
            ToLongFunction<Object> word = words.get(object.getClass());
            if (word != null) {
                add(word.applyAsLong(object));
            } else if (object instanceof Enum<?> constant) {
                add(constant.name().hashCode());
            } else if (object instanceof CharSequence || object instanceof Number || object instanceof Boolean) {
                add(object.toString().hashCode());
            } else if (object instanceof byte[] bytes) {
                add(Arrays.hashCode(bytes));
            } else if (object instanceof ByteBuffer buffer) {
                add(buffer.remaining());
            } else if (object instanceof AtomicLongArray bits) {
                add(bits.toString().hashCode());
            } else if (object instanceof AtomicBoolean flag) {
                add(flag.get() ? 2 : 1);
            } else {
                visitOnce(object);
            }
        }

        private void visitOnce(Object object) {
            Integer number = seen.putIfAbsent(object, seen.size());
            if (number != null) {
                add(number);
            } else if (object instanceof Object[] array) {
                Arrays.asList(array).forEach(this::visit);
            } else if (object instanceof Iterable<?> many && !(object instanceof java.nio.file.Path)) {
                add(-1);
                many.forEach(this::visit);
                add(-2);
            } else if (object instanceof Map<?, ?> map) {
                add(map.size());
                map.forEach((key, value) -> {
                    visit(key);
                    visit(value);
                });
            } else if (object instanceof Optional<?> maybe) {
                visit(maybe.orElse(null));
            } else if (object.getClass().getName().startsWith(OURS)) {
                add(object.getClass().getName().hashCode());
                fields(object.getClass()).forEach(field -> visit(get(field, object)));
            } else {
                add(object.getClass().getName().hashCode());
            }
        }
    }

    private static @Nullable Object get(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Field> fields(Class<?> type) {
        return FIELDS.computeIfAbsent(type, StateDigest::findFields);
    }

    private static List<Field> findFields(Class<?> type) {
        List<Field> found = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    found.add(field);
                }
            }
        }
        return List.copyOf(found);
    }
}
