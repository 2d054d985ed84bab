package io.boltshuffle.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The user of this process, as a file system knows it. What Java calls the user is an option of the JVM, and is {@code
 * ?} where no account has the process's number, as in many containers.
 *
 * @param name of the account, or the number if there is no account
 */
record ThisUser(String name, int id) {

    private static final String ID = "unix:uid";
    private static final int UNKNOWN = -1;

    private static final class Holder {
        static final ThisUser OF_PROCESS = ask();
    }

    static ThisUser ofProcess() {
        return Holder.OF_PROCESS;
    }

    /** Returns whether the owner of a file is this user. */
    boolean is(int ownerId, String ownerName) {
        return id == UNKNOWN ? ownerName.equals(name) : ownerId == id;
    }

    /** Looks up who owns a file that the process makes where no other user can put another in its place. */
    private static ThisUser ask() {
        for (String directory : List.of("/tmp", System.getProperty("java.io.tmpdir"))) {
            Optional<ThisUser> found = ownerOfFileIn(Path.of(directory));
            if (found.isPresent()) {
                return found.get();
            }
        }
        return new ThisUser(System.getProperty("user.name"), UNKNOWN);
    }

    private static Optional<ThisUser> ownerOfFileIn(Path directory) {
        try {
            Path own = Files.createTempFile(directory, "bolt", null);
            try {
                return Optional.of(new ThisUser(Files.getOwner(own).getName(), (Integer) Files.getAttribute(own, ID)));
            } finally {
                Files.delete(own);
            }
        } catch (IOException e) {
            return Optional.empty(); // it is full, or not this user's to write
        }
    }
}
