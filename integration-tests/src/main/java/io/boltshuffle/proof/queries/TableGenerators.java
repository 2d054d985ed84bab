package io.boltshuffle.proof.queries;

import io.boltshuffle.cli.base.Installation;
import java.util.HashMap;
import java.util.Map;

/** The settings of an application that makes tables of TPC-H or TPC-DS. */
public final class TableGenerators {
    private TableGenerators() {}

    public static Map<String, String> settings(Installation installation) {
        Map<String, String> settings = new HashMap<>(installation.generatorSettings());
        settings.merge(
                "spark.jars",
                Installation.jarOf("io.trino.tpcds.Table").toString(),
                (others, tpcds) -> others + "," + tpcds);
        return Map.copyOf(settings);
    }
}
