package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.BuildFacts;
import io.boltshuffle.cli.joining.JoinServer;
import io.boltshuffle.cli.localcluster.LocalCluster;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/** The join server as a process, which {@code bolt up} starts: {@code JoinServerMain CACHE PORT}. */
public final class JoinServerMain {
    static final Pattern READY = Pattern.compile("machines may join at port (\\d+)");
    private static final int BACKLOG = 128;

    private JoinServerMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        UserCache cache = new UserCache(Path.of(args[0]));
        SharedPlace place = new SharedPlace(cache.root().resolve("up"), LocalCluster.ofMachines(cache));
        ServerSocket socket = listen(Integer.parseInt(args[1]));
        try (JoinServer server = JoinServer.start(
                socket,
                place.identity(),
                BuildFacts.current().version(),
                place.offer(),
                place.codes(),
                place.members())) {
            System.out.println("machines may join at port " + server.port());
            new CountDownLatch(1).await(); // until the process is told to end
        }
    }

    /** Takes another port if this one is taken: the printed line names it. */
    static ServerSocket listen(int port) throws IOException {
        try {
            return new ServerSocket(port, BACKLOG);
        } catch (BindException e) {
            return new ServerSocket(0, BACKLOG);
        }
    }
}
