package io.boltshuffle.integration.demo;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets tests of {@code bolt cluster} wait for each other: a build's JVMs share a cache, which has one cluster. */
final class OneClusterAtATime implements BeforeEachCallback, AfterEachCallback {

    private @Nullable FileChannel lock;

    @Override
    public void beforeEach(ExtensionContext test) throws IOException {
        FileChannel own = FileChannel.open(
                UnpackedBolt.CACHE.resolveSibling("one-cluster-at-a-time"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        own.lock();
        lock = own;
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        requireNonNull(lock).close();
    }
}
