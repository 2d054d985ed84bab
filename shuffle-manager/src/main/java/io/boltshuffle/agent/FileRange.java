package io.boltshuffle.agent;

import java.nio.file.Path;

/** Where a block's bytes lie. */
record FileRange(Path file, long offset, long bytes) {}
