package io.boltshuffle.integration.demo;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets tests of {@code bolt cluster} wait for each other: a cache has one cluster, and the JVMs of a build share it. */
final class OneClusterAtATime implements BeforeEachCallback, AfterEachCallback {

    private FileChannel lock;

    @Override
    public void beforeEach(ExtensionContext test) throws IOException {
        lock = FileChannel.open(
                UnpackedBolt.CACHE.resolveSibling("one-cluster-at-a-time"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        lock.lock();
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        lock.close();
    }
}
