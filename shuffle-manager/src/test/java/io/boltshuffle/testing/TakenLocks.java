package io.boltshuffle.testing;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the locks that some work takes of those that threads share: one thread holds all of them while another does the
 * work, and the one that the work comes to wait for is noted, and not held the next time. So it does not depend on time
 * or luck whether a lock is found, as it would if threads met at it by chance.
 *
 * <p>Locks are the monitors of this project's objects, and what implements {@link Lock}, as far as fields of this
 * project's classes lead to them. Those within the JDK are not looked at.
 */
public final class TakenLocks {

    private static final String OURS = "io.boltshuffle.";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private TakenLocks() {}

    /** Work that may be done again and again. */
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    /**
     * Returns the names of the classes whose locks the work takes, in the order in which it first does.
     *
     * @param shared what the threads have in common
     */
    public static List<String> by(Work work, Object... shared) throws Exception {
        Set<Object> locks = locksOf(shared);
        List<String> taken = new ArrayList<>();
        for (Object first = firstOf(work, locks); first != null; first = firstOf(work, locks)) {
            locks.remove(first);
            taken.add(first.getClass().getSimpleName());
        }
        return taken;
    }

    /** Returns the first of these locks that the work waits for, or null. The work is over then. */
    private static @Nullable Object firstOf(Work work, Set<Object> locks) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        Deque<Object> left = new ArrayDeque<>(locks);
        Thread holder = new Thread(() -> holdAll(left, held, letGo), "holds locks");
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        Thread worker = new Thread(() -> doWork(work, thrown), "takes locks");
        holder.start();
        Object waitedFor;
        try {
            held.await();
            worker.start();
            waitedFor = watch(worker, holder, locks);
        } finally {
            letGo.countDown();
        }
        holder.join();
        worker.join();
        if (!thrown.isEmpty()) {
            throw new AssertionError("the work failed", thrown.get(0));
        }
        return waitedFor;
    }

    private static void doWork(Work work, List<Throwable> thrown) {
        try {
            work.run();
        } catch (Throwable e) {
            thrown.add(e);
        }
    }

    private static void holdAll(Deque<Object> left, CountDownLatch held, CountDownLatch letGo) {
        Object next = left.poll();
        if (next == null) {
            held.countDown();
            awaitUninterrupted(letGo);
        } else if (next instanceof Lock lock) {
            lock.lock();
            try {
                holdAll(left, held, letGo);
            } finally {
                lock.unlock();
            }
        } else {
            synchronized (next) {
                holdAll(left, held, letGo);
            }
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing interrupts this thread", e);
        }
    }

    /** Waits until the worker has ended, or waits for what the holder has. */
    private static @Nullable Object watch(Thread worker, Thread holder, Set<Object> locks) {
        while (worker.isAlive()) {
            ThreadInfo info = THREADS.getThreadInfo(worker.getId());
            if (info != null && info.getLockOwnerId() == holder.getId()) {
                return named(info.getLockInfo(), locks);
            }
            Thread.onSpinWait();
        }
        return null;
    }

    /** A lock of the JDK's kind is waited for by what it is made of. */
    private static Object named(LockInfo waitedFor, Set<Object> locks) {
        for (Object lock : locks) {
            boolean isItself = System.identityHashCode(lock) == waitedFor.getIdentityHashCode();
            boolean isWithin = lock instanceof Lock
                    && waitedFor.getClassName().startsWith(lock.getClass().getName() + "$");
            if (isItself || isWithin) {
                return lock;
            }
        }
        throw new AssertionError("waited for " + waitedFor + ", which is none of the locks");
    }

    private static Set<Object> locksOf(Object... shared) throws IllegalAccessException {
        Set<Object> locks = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> left = new ArrayDeque<>(Arrays.asList(shared));
        for (Object next = left.poll(); next != null; next = left.poll()) {
            if (!seen.add(next) || next instanceof Enum<?>) {
                continue;
            }
            if (next instanceof Lock) {
                locks.add(next);
            } else if (next.getClass().getName().startsWith(OURS)) {
                locks.add(next);
                addFields(next, left);
            } else {
                addParts(next, left);
            }
        }
        return locks;
    }

    private static void addFields(Object object, Deque<Object> left) throws IllegalAccessException {
        for (Class<?> type = object.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            if (!type.getName().startsWith(OURS)) {
                return;
            }
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    add(field.get(object), left);
                }
            }
        }
    }

    private static void addParts(Object object, Deque<Object> left) {
        if (object instanceof Object[] array) {
            for (Object part : array) {
                add(part, left);
            }
        } else if (object instanceof Map<?, ?> map) {
            map.values().forEach(part -> add(part, left));
        } else if (object instanceof Optional<?> maybe) {
            maybe.ifPresent(left::add);
        } else if (object instanceof Iterable<?> many && !(object instanceof java.nio.file.Path)) {
            many.forEach(part -> add(part, left));
        }
    }

    private static void add(@Nullable Object object, Deque<Object> left) {
        if (object != null) {
            left.add(object);
        }
    }
}
