package io.boltshuffle.cli.cluster;

import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.util.Set;
import java.util.stream.Stream;

/** Damages what the system and the virtual Thunderbolt's control program say of a cluster. */
class ClusterFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(
                FuzzTarget.ofText(
                        "process-status",
                        status -> ProcessFigures.field(status.lines().toList(), "RssAnon"),
                        Set.of(),
                        "Name:\tjava\nState:\tS (sleeping)\nRssAnon:\t  123456 kB\nRssShmem:\t 7 kB\n"),
                FuzzTarget.ofText(
                        "process-maps",
                        maps -> ProcessFigures.slabBytes(maps.lines().toList()),
                        Set.of(),
                        """
                        7f0000000000-7f0000004000 rw-s 00000000 00:1a 5 /dev/shm/bolt-abc
                        7f0000010000-7f0000011000 rw-s 00000000 00:1a 6      /dev/shm/bolt-x (deleted)
                        """),
                FuzzTarget.ofText(
                        "emulator-statistics",
                        text -> VirtualCables.corruptedFrames(VirtualCables.parse(text)),
                        Set.of(IllegalStateException.class),
                        """
                        {"copy":"cma","cables":[{"name":"c","plugged":true,"pulls":0,"directions":[
                          {"from":"a:en5","frames":9,"messages":1,"bytes":36864,"dropped":0,"corrupted":2}]}],
                         "ports":[]}
                        """));
    }
}
