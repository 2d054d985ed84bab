package io.boltshuffle.cli.nearby;

import java.util.List;

/** Looks for machines at which this one may join. The network is one way to look, a test's list another. */
public interface DeskFinder {
    /** Returns those that answer within a limited time, each once. */
    List<NearbyDesk> find();
}
