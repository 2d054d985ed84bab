package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.PrivateFiles;
import io.boltshuffle.cli.cluster.ProcessRecord;
import io.boltshuffle.cli.joining.ClusterOffer;
import io.boltshuffle.cli.joining.Identity;
import io.boltshuffle.cli.joining.LiveCodes;
import io.boltshuffle.cli.joining.Members;
import io.boltshuffle.cli.joining.Membership;
import io.boltshuffle.cli.localcluster.LocalCluster;
import io.boltshuffle.cli.runtime.UserCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/**
 * The private directory of a machine's part in a cluster. A machine either runs the first part, or has joined, or
 * neither.
 */
record SharedPlace(Path root, LocalCluster cluster) {
    static SharedPlace of(UserCache cache) {
        return new SharedPlace(PrivateFiles.directory(cache.root().resolve("up")), LocalCluster.ofMachines(cache));
    }

    /** Returns whether any process of this machine's part lives. */
    boolean runs() {
        return cluster.processes().stream().anyMatch(ProcessRecord::lives);
    }

    /** Returns whether what this machine runs, or ran, is the first part of a cluster. */
    boolean isFirst() {
        return Files.exists(offerFile());
    }

    /** Returns whether the network is told where machines may join this one. */
    boolean isAnnounced() {
        return cluster.processes().stream()
                .anyMatch(process -> process.title().equals(LocalCluster.ANNOUNCER) && process.lives());
    }

    /** Removes what a killed command or a restarted machine has left. */
    void makeRoom() {
        if (cluster.exists()) {
            cluster.clear();
        }
    }

    Identity identity() {
        return Identity.in(root.resolve("identity"));
    }

    Members members() {
        return new Members(PrivateFiles.directory(root.resolve("identity")).resolve("members"), Clock.systemUTC());
    }

    /** Removes the certificate and the keys of all machines that joined. */
    void forgetIdentity() {
        FileTrees.delete(root.resolve("identity"));
    }

    LiveCodes codes() {
        return new LiveCodes(cluster.root().resolve("codes"), Clock.systemUTC());
    }

    void keep(ClusterOffer offer) {
        PrivateFiles.write(offerFile(), Json.write(offer));
    }

    ClusterOffer offer() {
        return read(offerFile(), ClusterOffer.class)
                .orElseThrow(() -> BoltException.failed("no cluster runs: bolt up"));
    }

    void keep(Membership membership) {
        PrivateFiles.write(membershipFile(), Json.write(membership));
    }

    /** Returns the cluster that this machine joined last. */
    Optional<Membership> membership() {
        return read(membershipFile(), Membership.class);
    }

    void forgetMembership() {
        try {
            Files.deleteIfExists(membershipFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path offerFile() {
        return cluster.root().resolve("offer.json");
    }

    private Path membershipFile() {
        return root.resolve("membership.json");
    }

    private static <T> Optional<T> read(Path file, Class<T> type) {
        try {
            return Files.exists(file) ? Optional.of(Json.read(Files.readString(file), type)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
