package io.boltshuffle.cli.doctor.check;

import java.util.List;

/** Answers one question about the whole cluster. */
interface Check {

    List<Finding> on(Cluster cluster);
}
