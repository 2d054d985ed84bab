package io.boltshuffle.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The place where the executors of one user on one host meet their agent: a directory that only that user can enter. It
 * holds the agent's socket, the lock under which an executor starts the agent, and the agent's log.
 */
public final class MeetingPlace {

    /** The longest path that fits {@code sun_path} on macOS, without its closing zero. Linux allows four bytes more. */
    private static final int MAX_SOCKET_PATH_BYTES = 103;

    /** A user whose name a directory can have, so short that the longest socket's path fits. */
    private static final String PLAIN_USER = "[A-Za-z0-9._-]{1,28}";

    /** The longest name with which the longer of two beginnings fits. */
    private static final int MAX_LABEL = 24;

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path directory;

    private MeetingPlace(Path directory) {
        this.directory = directory;
    }

    /**
     * Opens the place, and creates the directory if it is missing.
     *
     * @param root the directory of all hosts of this user; created if it is missing
     * @param host the host as Spark names it
     * @throws IOException if a directory cannot be created, belongs to another user or can be entered by others; the
     * message says which and what to do
     */
    public static MeetingPlace open(Path root, String host) throws IOException {
        Path directory = root.toAbsolutePath().resolve(fileName(host));
        MeetingPlace place = new MeetingPlace(directory);
        int bytes = place.socket().toString().getBytes(UTF_8).length;
        if (bytes > MAX_SOCKET_PATH_BYTES) {
            throw new IOException("the agent's socket path " + place.socket() + " has " + bytes + " bytes, "
                    + MAX_SOCKET_PATH_BYTES + " are possible: choose a shorter spark.boltshuffle.agent.directory");
        }
        ownDirectory(root.toAbsolutePath());
        ownDirectory(directory);
        return place;
    }

    /** Returns the places below a root in which an agent has listened. It creates nothing. */
    public static List<MeetingPlace> existing(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> directories = Files.list(root.toAbsolutePath())) {
            return directories
                    .sorted()
                    .map(MeetingPlace::new)
                    .filter(place -> Files.exists(place.socket()))
                    .toList();
        }
    }

    /** Returns whether a directory exists and belongs to this user. */
    public static boolean isOwn(Path root) {
        try {
            Map<String, Object> found =
                    Files.readAttributes(root, "unix:isDirectory,uid,owner", LinkOption.NOFOLLOW_LINKS);
            return Boolean.TRUE.equals(found.get("isDirectory")) && isOfThisUser(found);
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether the executors of a host meet their agent here. */
    public boolean isOf(String host) {
        return directory.endsWith(fileName(host));
    }

    /**
     * Returns the default directory of all hosts of this user. It depends on the user alone and on no option of this
     * JVM, so that all JVMs find the same agent. It is below {@code /tmp}, because the directories for temporary files
     * of macOS have so long names that a socket's path may not fit.
     */
    public static Path defaultRoot() {
        return defaultRoot(ThisUser.ofProcess(), System.getProperty("os.name").startsWith("Mac"));
    }

    static Path defaultRoot(ThisUser user, boolean mac) {
        String label = user.name().matches(PLAIN_USER) ? user.name() : Integer.toUnsignedString(user.id());
        return Path.of("/tmp", (mac || label.length() > MAX_LABEL ? "bolt-" : "boltshuffle-") + label);
    }

    public Path socket() {
        return directory.resolve("agent.sock");
    }

    /** Returns the lock that an executor holds while it looks for the agent and starts it. */
    public Path startLock() {
        return directory.resolve("start.lock");
    }

    /** Returns the lock that the agent holds as long as it lives, so that there is only one. */
    public Path agentLock() {
        return directory.resolve("agent.lock");
    }

    /** Returns the file of the times at which agents were started, which show a crash loop. */
    public Path startHistory() {
        return directory.resolve("starts");
    }

    public Path log() {
        return directory.resolve("agent.log");
    }

    /** Returns the earlier log, which had grown too large. */
    public Path oldLog() {
        return directory.resolve("agent.log.1");
    }

    public Path directory() {
        return directory;
    }

    private static void ownDirectory(Path directory) throws IOException {
        try {
            Files.createDirectories(directory.getParent());
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            checkOwnership(directory);
        }
    }

    private static void checkOwnership(Path directory) throws IOException {
        Map<String, Object> found =
                Files.readAttributes(directory, "unix:isDirectory,uid,owner,permissions", LinkOption.NOFOLLOW_LINKS);
        if (!Boolean.TRUE.equals(found.get("isDirectory"))) {
            throw new IOException(directory + " is not a directory: remove it");
        }
        if (!isOfThisUser(found)) {
            throw new IOException(directory + " belongs to " + found.get("owner") + ", not to "
                    + ThisUser.ofProcess().name() + ": choose another spark.boltshuffle.agent.directory");
        }
        @SuppressWarnings("unchecked") // by the documentation of PosixFileAttributeView
        Set<PosixFilePermission> permissions = (Set<PosixFilePermission>) requireNonNull(found.get("permissions"));
        if (!permissions.equals(OWNER_ONLY)) {
            throw new IOException(directory + " is " + PosixFilePermissions.toString(permissions)
                    + ", so others may come in: chmod 700 it");
        }
    }

    private static boolean isOfThisUser(Map<String, Object> found) {
        Integer id = (Integer) requireNonNull(found.get("uid"));
        UserPrincipal owner = (UserPrincipal) requireNonNull(found.get("owner"));
        return ThisUser.ofProcess().is(id, owner.getName());
    }

    /**
     * Returns a host name as a directory name. It replaces characters that a file name may not have, and adds a hash so
     * that names stay distinct.
     */
    private static String fileName(String spelling) {
        String host = HostName.plain(spelling);
        String plain = host.replaceAll("[^A-Za-z0-9.-]", "_");
        String name = plain.length() <= 40 ? plain : plain.substring(0, 40);
        return name.equals(host) && !name.isEmpty() && !name.startsWith(".")
                ? name
                : "h" + name + "-" + Integer.toHexString(host.hashCode());
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
