package io.boltshuffle.cli.nearby;

import io.boltshuffle.cli.joining.Fingerprint;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Announces a join server as long as that lives: {@code AnnouncerMain NAME ADDRESS PORT FINGERPRINT PROCESS}.
 *
 * <p>It is a process of its own, so that what strangers send by multicast reaches none that knows a secret. Where it
 * cannot announce it says so in one line, and ends; machines then join by the host's name.
 */
public final class AnnouncerMain {
    private AnnouncerMain() {}

    /** Returns the arguments of {@link #main}. */
    public static List<String> arguments(
            String name, String address, int port, Fingerprint fingerprint, long joinServer) {
        return List.of(name, address, Integer.toString(port), fingerprint.hex(), Long.toString(joinServer));
    }

    public static void main(String[] args) throws IOException {
        NearbyDesk desk = new NearbyDesk(
                args[0], InetAddress.getByName(args[1]), Integer.parseInt(args[2]), new Fingerprint(args[3]));
        Optional<ProcessHandle> server = ProcessHandle.of(Long.parseLong(args[4]));
        if (!MulticastNetworks.has(desk.address())) {
            giveUp("no network at " + args[1] + " carries multicast");
        } else if (server.isPresent()) {
            announce(desk, server.get());
        }
        System.exit(0); // which takes the announcement back
    }

    private static void announce(NearbyDesk desk, ProcessHandle server) {
        CompletableFuture<Throwable> broken = new CompletableFuture<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> broken.complete(thrown));
        try {
            Announcement announcement = Announcement.of(desk);
            Runtime.getRuntime().addShutdownHook(new Thread(announcement::close, "bolt-announcer-end"));
            CompletableFuture.anyOf(server.onExit(), broken.thenAccept(AnnouncerMain::giveUp))
                    .join();
        } catch (IOException e) {
            giveUp(e);
        }
    }

    private static void giveUp(Object reason) {
        System.out.println("not announced, so machines join by the host's name or address: " + reason);
    }
}
