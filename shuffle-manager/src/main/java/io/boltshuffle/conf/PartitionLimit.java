package io.boltshuffle.conf;

/**
 * Limits how many partitions a map output may have for the plugin's writer.
 *
 * @param configured {@code spark.boltshuffle.writer.maxPartitions}; 0 leaves it to the task's memory
 * @param bypassed the largest number for which Spark itself would open a file and a stream each
 */
public record PartitionLimit(int configured, int bypassed) {
    /** A page is a sixteenth of a task's memory, rounded up to a power of two, so this is a quarter to a half of it. */
    private static final int PAGES = 4;

    /**
     * Returns whether the writer may have so many partitions although it holds memory that it does not account for, as
     * much for each as Spark's bypass writer. It may not where Spark would no longer bypass, but sort and spill.
     */
    public boolean allowsUnaccounted(int partitions) {
        return partitions <= largestUnaccounted();
    }

    /**
     * Returns whether the writer may have so many partitions if it accounts for all memory.
     *
     * @param partitionBytes what a partition may hold
     * @param pageBytes the page size of the task's memory manager
     */
    public boolean allows(int partitions, long partitionBytes, long pageBytes) {
        return partitions <= largest(partitionBytes, pageBytes);
    }

    /** Returns the most that {@link #allows} them. */
    public int largest(long partitionBytes, long pageBytes) {
        return configured > 0
                ? configured
                : (int) Math.min(Integer.MAX_VALUE, Math.max(bypassed, PAGES * pageBytes / partitionBytes));
    }

    /** Returns the most that {@link #allowsUnaccounted} them. */
    public int largestUnaccounted() {
        return configured > 0 ? Math.min(configured, bypassed) : bypassed;
    }
}
