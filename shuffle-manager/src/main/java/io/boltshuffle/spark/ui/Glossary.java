package io.boltshuffle.spark.ui;

import java.util.Map;

/**
 * Explains those column titles that only insiders know. The page shows the explanation where the pointer rests on a
 * title.
 */
final class Glossary {
    private static final Map<String, String> MEANINGS = Map.ofEntries(
            Map.entry("RDMA share", "Of the bytes that came from other hosts, the part that came by RDMA"),
            Map.entry("Local", "Bytes that tasks read from their own host, without the network"),
            Map.entry("Fetch wait", "How long the stage's tasks together waited for blocks"),
            Map.entry("of run time", "Fetch wait as a part of the tasks' run time"),
            Map.entry("Written", "Bytes of the map outputs of the stage, as they lie in their files"),
            Map.entry("By our writer", "The part of these bytes that the plugin's writer wrote"),
            Map.entry("Our tasks", "Map tasks that wrote by the plugin's writer"),
            Map.entry("Spills", "How often the plugin's writer went to disk because memory was short"),
            Map.entry("Spark's tasks", "Map tasks that wrote by one of Spark's own writers, and why"),
            Map.entry("Time on files", "How long the stage's tasks together were busy with files of map outputs"),
            Map.entry(
                    "Partitions at most",
                    "With more, Spark's writers write. It follows from the memory of a task"
                            + " (spark.boltshuffle.writer.maxPartitions) and holds for serializers whose records may be"
                            + " reordered, such as SQL's; for others Spark's threshold does"),
            Map.entry("Buffer of a partition", "What the plugin's writer gathers of a partition before it encodes it"),
            Map.entry(
                    "Blocks by TCP",
                    "What RDMA does not carry, and the first piece of a broadcast, which may be its only one and tiny"),
            Map.entry("Fetches", "Requests of tasks for blocks of one host; a task makes several"),
            Map.entry(
                    "Bytes of each",
                    "On average. By RDMA a task may ask for more at a time, so that a fetch takes longer and fewer are "
                            + "needed"),
            Map.entry(
                    "Median",
                    "Half of the fetches took no longer. Only fetches whose blocks all came in this way count."),
            Map.entry("95 %", "All but one in twenty took no longer"),
            Map.entry("99 %", "All but one in a hundred took no longer"),
            Map.entry("Peak", "The most in a second, both directions together, measured as in the chart above"),
            Map.entry(
                    "Time of a stripe",
                    "A block's bytes are spread over all cables to a host; how long a cable's part takes"),
            Map.entry("CRC failures", "How often this cable's link was taken down because damaged bytes arrived"),
            Map.entry(
                    "Detail",
                    "Of a link that is up: how it was set up. A message is what is sent at once; so many bytes are on "
                            + "the way at a time. Of others: why they are not"),
            Map.entry(
                    "Pool",
                    "Memory of the host's agent that is registered for RDMA (spark.boltshuffle.agent.slab); executors "
                            + "read blocks where they arrived in it"),
            Map.entry("In use", "The part of the pool that holds blocks, or waits for some"),
            Map.entry("Read by tasks", "The part of the pool that tasks are reading; it comes back when they have"),
            Map.entry(
                    "Copied to the heap",
                    "Bytes that were copied out of the pool because it was short; a larger pool avoids it"),
            Map.entry(
                    "Forgotten blocks",
                    "Blocks that a reader dropped without giving their memory back. It comes back later; please report "
                            + "it"),
            Map.entry(
                    "Quarantined",
                    "Memory set aside after a link broke, because a device might still write there; it comes back when "
                            + "the device has let go"),
            Map.entry(
                    "Leaked regions",
                    "Pieces of memory that a device would not let go. They stay until the agent ends; please report "
                            + "them"));

    private Glossary() {}

    /** Returns the explanation; empty if the title needs none. */
    static String meaning(String title) {
        return MEANINGS.getOrDefault(title, "");
    }
}
