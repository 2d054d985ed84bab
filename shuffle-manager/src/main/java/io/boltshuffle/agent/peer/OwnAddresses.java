package io.boltshuffle.agent.peer;

import io.boltshuffle.loop.Loop;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the agent listening where its host's name leads. The name may move to another address while the agent runs: by
 * a VPN, by DHCP, or with a Mac that changes its network. Other agents then call the new address only.
 *
 * <p><b>Invariant:</b> there is at most one look-up at a time, and one that fails changes nothing. An address that is
 * no longer of the name is given up only while the agent listens on one that is. Connections that were taken live on.
 *
 * <p><b>Ownership:</b> owns the sockets that listen.
 *
 * <p><b>Threads:</b> confined to the agent's loop; names are looked up elsewhere.
 */
final class OwnAddresses {

    /** Time between two look-ups. The JVM itself remembers names for half a minute, unless it is told otherwise. */
    static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final Logger LOG = LoggerFactory.getLogger(OwnAddresses.class);

    /** Listens on an address. */
    @FunctionalInterface
    interface Binding {
        /** @throws IOException if the address cannot be had; the message says which and why */
        Closeable listen(InetAddress address) throws IOException;
    }

    private final String host;
    private final Loop loop;
    private final Supplier<CompletableFuture<List<InetAddress>>> names;
    private final Binding binding;
    private final Map<InetAddress, Closeable> open = new LinkedHashMap<>();
    private String refused = "";
    private String trouble = "";
    private boolean closed;

    /** @param names starts a look-up of where this host's agent should listen */
    OwnAddresses(String host, Loop loop, Supplier<CompletableFuture<List<InetAddress>>> names, Binding binding) {
        this.host = host;
        this.loop = loop;
        this.names = names;
        this.binding = binding;
    }

    /** Begins with what listens already, which it owns from now on. */
    void start(Map<InetAddress, Closeable> listening) {
        open.putAll(listening);
        look();
    }

    /** Returns the addresses at which the agent listens. */
    List<String> listening() {
        return open.keySet().stream().map(InetAddress::getHostAddress).toList();
    }

    /** Returns why other hosts may not find this one by its name; empty if they do as far as this one knows. */
    String trouble() {
        return trouble;
    }

    void close() {
        closed = true;
        open.values().forEach(OwnAddresses::close);
        open.clear();
    }

    private void look() {
        if (!closed) {
            loop.whenDone(names.get(), this::onFound);
        }
    }

    private void onFound(@Nullable List<InetAddress> found, @Nullable Throwable failure) {
        if (closed) {
            return;
        }
        if (found == null) {
            LOG.debug("{} cannot be looked up, so the agent listens where it did", host, failure);
        } else {
            follow(found);
        }
        loop.after(LOOK_NANOS, this::look);
    }

    private void follow(List<InetAddress> wanted) {
        List<String> failures = new ArrayList<>();
        for (InetAddress address : wanted) {
            if (!open.containsKey(address)) {
                listen(address, failures);
            }
        }
        String before = trouble;
        if (wanted.stream().anyMatch(open::containsKey)) {
            trouble = "";
            giveUpAllBut(wanted);
        } else {
            trouble = "the agent of " + host + " listens on " + String.join(", ", listening())
                    + ", and that name now leads to " + text(wanted) + ", where it cannot listen: "
                    + String.join("; ", failures);
        }
        String now = String.join("; ", failures);
        if (!trouble.equals(before) && !trouble.isEmpty()) {
            LOG.warn("{}", trouble);
        } else if (!now.equals(refused) && !now.isEmpty()) {
            LOG.warn("{}", now);
        }
        refused = now;
    }

    private void listen(InetAddress address, List<String> failures) {
        try {
            open.put(address, binding.listen(address));
            LOG.info("{} leads to {}: the agent listens there, too", host, address.getHostAddress());
        } catch (IOException e) {
            failures.add(String.valueOf(e.getMessage()));
        }
    }

    private void giveUpAllBut(List<InetAddress> wanted) {
        for (InetAddress address : List.copyOf(open.keySet())) {
            if (!wanted.contains(address)) {
                close(open.remove(address));
                LOG.info("{} no longer leads to {}: the agent listens there no more", host, address.getHostAddress());
            }
        }
    }

    private static void close(@Nullable Closeable listener) {
        try {
            if (listener != null) {
                listener.close();
            }
        } catch (IOException e) {
            LOG.debug("the descriptor is gone all the same", e);
        }
    }

    private static String text(Collection<InetAddress> addresses) {
        return addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
    }
}
