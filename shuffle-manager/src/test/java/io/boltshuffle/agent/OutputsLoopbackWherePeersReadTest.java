package io.boltshuffle.agent;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The same over links whose peers read. */
class OutputsLoopbackWherePeersReadTest extends OutputsLoopbackTest {

    OutputsLoopbackWherePeersReadTest(@TempDir Path temp) throws IOException {
        super(temp);
    }

    @Override
    boolean doPeersRead() {
        return true;
    }
}
