package io.boltshuffle.agent;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** A program that tries all it can do with each path it is given, and prints what it could. Run as another user. */
final class Stranger {

    private Stranger() {}

    /** Something to try. */
    @FunctionalInterface
    private interface Attempt {
        void make(Path path) throws IOException;
    }

    public static void main(String[] paths) {
        for (String path : paths) {
            attempt("list", path, Stranger::list);
            attempt(
                    "read",
                    path,
                    each -> FileChannel.open(each, StandardOpenOption.READ).close());
            attempt(
                    "write",
                    path,
                    each -> FileChannel.open(each, StandardOpenOption.WRITE).close());
            attempt("connect", path, Stranger::connect);
            attempt("delete", path, Files::delete);
        }
    }

    private static void attempt(String what, String path, Attempt attempt) {
        try {
            attempt.make(Path.of(path));
            System.out.println(what + " " + path);
        } catch (IOException e) {
            System.err.println(what + " " + e);
        }
    }

    private static void list(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            files.forEach(file -> System.out.println("sees " + file));
        }
    }

    private static void connect(Path path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(path));
        }
    }
}
