package io.boltshuffle.agent;

import io.boltshuffle.rdma.link.RangePart;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Cables between agents of one JVM: what is offered at one end can be copied at the other. */
final class FakeFabric implements AutoCloseable {

    private final ExecutorService poller = Executors.newSingleThreadExecutor(task -> new Thread(task, "fake-poller"));
    private final Map<Long, RangePart> offered = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();
    private final List<FakeLink> links = new CopyOnWriteArrayList<>();
    private volatile Behaviour behaviour = Behaviour.WORKS;
    private volatile int firstPort;
    private volatile boolean pulled;
    private volatile boolean peersRead;

    /** The behaviour of transfers. */
    enum Behaviour {
        WORKS,
        /** Bytes arrive damaged, and the link notices. */
        CORRUPTS,
        /** Nothing ever completes; deadlines end it. */
        SILENT
    }

    void behave(Behaviour next) {
        behaviour = next;
    }

    Behaviour behaviour() {
        return behaviour;
    }

    /** Links that are made from now on are read: what a peer takes has to be open to it. */
    void letPeersRead() {
        peersRead = true;
    }

    boolean doPeersRead() {
        return peersRead;
    }

    void add(FakeLink link) {
        links.add(link);
    }

    /** Returns the port at both ends of the first cable; those of the others follow. */
    int firstPort() {
        return firstPort;
    }

    /** All cables are pulled. */
    void pull() {
        pulled = true;
        links.forEach(link -> link.onPortLost("no cable"));
    }

    boolean isPulled() {
        return pulled;
    }

    /** All cables are pulled, and plugged in again from this port on. */
    void plugInAt(int port) {
        firstPort = port;
        links.forEach(link -> link.onPortLost("no cable"));
    }

    long offer(RangePart source) {
        long token = tokens.incrementAndGet();
        offered.put(token, source);
        return token;
    }

    /** Withdraws an offer. The caller that removes it ends the hold on its range. */
    void withdraw(long token) {
        RangePart source = offered.remove(token);
        if (source != null) {
            source.range().release();
        }
    }

    RangePart offered(long token) {
        RangePart source = offered.get(token);
        if (source == null) {
            throw new IllegalStateException("offer " + token + " is gone");
        }
        return source;
    }

    boolean isOffered(long token) {
        return offered.containsKey(token);
    }

    int offers() {
        return offered.size();
    }

    void onPoller(Runnable task) {
        poller.execute(task);
    }

    @Override
    public void close() {
        poller.shutdown();
    }
}
