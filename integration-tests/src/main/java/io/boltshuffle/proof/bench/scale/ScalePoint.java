package io.boltshuffle.proof.bench.scale;

import io.boltshuffle.cli.cluster.ProcessFigures;
import io.boltshuffle.proof.bench.report.Samples;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One cluster. Each figure is that of the agent with the largest value.
 *
 * @param fresh before any application
 * @param few the highest value while few blocks moved; {@code many} likewise
 * @param rest some time after the end of the applications
 * @param restCpuShare of one core, without the emulator's threads
 * @param gigabytesPerSecond between all hosts together, in few blocks
 */
record ScalePoint(
        int hosts,
        int cablesPerPair,
        ProcessFigures fresh,
        ProcessFigures few,
        ProcessFigures many,
        ProcessFigures rest,
        double restCpuShare,
        Samples gigabytesPerSecond,
        OptionalDouble rdmaShare) {

    int peers() {
        return hosts - 1;
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("hosts", hosts);
        json.put("cablesPerPair", cablesPerPair);
        json.put("gigabytesPerSecond", gigabytesPerSecond.toJson());
        rdmaShare.ifPresent(share -> json.put("rdmaShare", share));
        json.put("restCpuShare", restCpuShare);
        json.put("fresh", fresh);
        json.put("fewBlocks", few);
        json.put("manyBlocks", many);
        json.put("rest", rest);
        return json;
    }
}
