package io.boltshuffle.integration;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Stands between the control ports of two agents, and makes their connection go wrong.
 *
 * <p><b>Threads:</b> one accepts, two copy for each connection; all end at {@link #close}.
 */
final class ControlProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 8192;
    private static final long SLOW_MILLIS = 200;

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final List<Socket> dialers = new ArrayList<>(); // guarded by this
    private final List<Socket> open = new ArrayList<>(); // guarded by this
    private boolean held; // guarded by this
    private long delayMillis; // guarded by this
    private byte[] greeting = {}; // guarded by this

    private ControlProxy(ServerSocket server, InetSocketAddress target) {
        this.server = server;
        this.target = target;
    }

    static ControlProxy open(InetSocketAddress at, InetSocketAddress target) throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(at);
        ControlProxy proxy = new ControlProxy(server, target);
        start(proxy::accept);
        return proxy;
    }

    /** Closes the connections there are. */
    synchronized void cut() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
        dialers.clear();
        notifyAll();
    }

    /** Lets nothing through any more, and closes nothing. */
    synchronized void hold() {
        held = true;
    }

    /** Takes its time with each piece, less than would look like silence. */
    synchronized void slow() {
        delayMillis = SLOW_MILLIS;
    }

    /** Says something to the agents that dialed, in the middle of what they hear. */
    synchronized void inject(byte[] bytes) throws IOException {
        dialers.removeIf(Socket::isClosed);
        for (Socket dialer : dialers) {
            dialer.getOutputStream().write(bytes);
        }
    }

    /** New connections hear this, and nothing else. */
    synchronized void answer(byte[] bytes) {
        greeting = bytes.clone();
    }

    /** Is a wire again. */
    synchronized void pass() {
        held = false;
        delayMillis = 0;
        greeting = new byte[0];
        notifyAll();
    }

    @Override
    public void close() throws IOException {
        server.close();
        pass();
        cut();
    }

    private void accept() throws IOException {
        while (true) {
            Socket dialer = server.accept();
            byte[] words = greetingNow();
            if (words.length > 0) {
                add(dialer);
                dialer.getOutputStream().write(words);
            } else {
                relay(dialer);
            }
        }
    }

    private void relay(Socket dialer) throws IOException {
        Socket acceptor = new Socket();
        try {
            acceptor.connect(target);
        } catch (IOException e) {
            dialer.close();
            return;
        }
        add(dialer);
        add(acceptor);
        synchronized (this) {
            dialers.add(dialer);
        }
        start(() -> copy(dialer, acceptor));
        start(() -> copy(acceptor, dialer));
    }

    private void copy(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitPass(from);
                out.write(buffer, 0, count);
            }
        }
    }

    private synchronized void awaitPass(Socket from) throws IOException {
        long began = System.nanoTime();
        try {
            while ((held || delayMillis > millisSince(began)) && !from.isClosed()) {
                wait(held ? 0 : delayMillis);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private synchronized byte[] greetingNow() {
        return greeting;
    }

    private synchronized void add(Socket socket) {
        open.add(socket);
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // A socket was closed under it: that is how these threads end.
                    }
                },
                "control-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
