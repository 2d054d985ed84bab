package io.boltshuffle.cli.doctor.check;

import java.util.List;

/** One question asked of the whole cluster. */
interface Check {

    List<Finding> on(Cluster cluster);
}
