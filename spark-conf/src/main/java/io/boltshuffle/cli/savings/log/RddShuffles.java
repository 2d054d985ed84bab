package io.boltshuffle.cli.savings.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.cli.savings.log.LoggedShuffle.Answer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The shuffles of RDDs, by the stages of a job: an RDD whose parent is in another stage reads the shuffle that the
 * other stage writes, and has as many partitions. What combines records is told by the name of the operation.
 */
final class RddShuffles {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Set<String> COMBINES = Set.of(
            "reduceByKey",
            "aggregateByKey",
            "combineByKey",
            "combineByKeyWithClassTag",
            "foldByKey",
            "countByKey",
            "countByValue",
            "countApproxDistinctByKey",
            "distinct",
            "treeAggregate",
            "treeReduce");

    private static final Set<String> COMBINES_NOTHING = Set.of(
            "groupByKey",
            "groupBy",
            "sortByKey",
            "sortBy",
            "repartitionAndSortWithinPartitions",
            "partitionBy",
            "repartition",
            "coalesce");

    /** RDDs of several parents, which never have their records combined before the shuffle. */
    private static final Set<String> JOINING_RDDS = Set.of("CoGroupedRDD", "SubtractedRDD");

    private final Answer relocatable;

    /** @param relocatable whether the application's serializer lets its records be moved as bytes */
    RddShuffles(Answer relocatable) {
        this.relocatable = relocatable;
    }

    /** Returns what a job's stages tell of the shuffles that others of them write, by the number of the stage. */
    Map<Integer, LoggedShuffle> of(JsonNode stages) {
        Map<Long, Integer> lastRdds = new HashMap<>(); // the RDD that a stage computes, and the stage
        for (JsonNode stage : stages) {
            lastRdds.put(
                    stage.path("RDD Info").path(0).path("RDD ID").asLong(-1),
                    stage.path("Stage ID").asInt());
        }
        Map<Integer, LoggedShuffle> shapes = new HashMap<>();
        for (JsonNode stage : stages) {
            Set<Integer> parents = new HashSet<>();
            stage.path("Parent IDs").forEach(parent -> parents.add(parent.asInt()));
            for (JsonNode rdd : stage.path("RDD Info")) {
                for (JsonNode parent : rdd.path("Parent IDs")) {
                    Integer writer = lastRdds.get(parent.asLong());
                    if (writer != null && parents.contains(writer)) {
                        shapes.put(writer, shape(rdd));
                    }
                }
            }
        }
        return shapes;
    }

    /** Reading SQL's rows, an RDD may have fewer partitions than the shuffle, so only the plan tells their number. */
    private LoggedShuffle shape(JsonNode rdd) {
        String kind = rdd.path("Name").asText();
        OptionalInt partitions = OptionalInt.of(rdd.path("Number of Partitions").asInt());
        if (JOINING_RDDS.contains(kind)) {
            return new LoggedShuffle(partitions, Answer.NO, relocatable);
        }
        return kind.equals("ShuffledRDD")
                ? new LoggedShuffle(partitions, combines(rdd), relocatable)
                : LoggedShuffle.UNKNOWN;
    }

    private static Answer combines(JsonNode rdd) {
        String operation = operation(rdd.path("Scope").asText());
        return COMBINES.contains(operation)
                ? Answer.YES
                : COMBINES_NOTHING.contains(operation) ? Answer.NO : Answer.UNKNOWN;
    }

    /** A scope is JSON within JSON. */
    private static String operation(String scope) {
        try {
            return JSON.readTree(scope).path("name").asText();
        } catch (JsonProcessingException e) {
            return "";
        }
    }
}
