package io.boltshuffle.spark.differential;

import java.util.HashMap;
import java.util.Map;

/**
 * Holds the settings with which a Spark is started.
 *
 * @param checksums the algorithm of shuffle checksums, or none
 */
record Site(Map<String, String> settings, Checksums checksums, long executionBytes) {
    /** The codec takes no blocks as small as that. */
    private static final String REFUSED_BLOCK = "8b";

    enum Codec {
        NONE,
        LZ4,
        ZSTD,
        SNAPPY,
        LZF
    }

    enum Checksums {
        NONE,
        ADLER32,
        CRC32,
        CRC32C
    }

    static Site draw(Drawing drawing) {
        Map<String, String> settings = new HashMap<>();
        codec(drawing, settings);
        Checksums checksums = drawing.oneOf("checksums", Checksums.values());
        settings.put("spark.shuffle.checksum.enabled", String.valueOf(checksums != Checksums.NONE));
        if (checksums != Checksums.NONE) {
            settings.put("spark.shuffle.checksum.algorithm", checksums.name());
        }
        settings.put("spark.io.encryption.enabled", String.valueOf(drawing.oneOf("encryption", false, false, true)));
        settings.put("spark.file.transferTo", String.valueOf(drawing.oneOf("transferTo", true, false)));
        settings.put("spark.shuffle.file.buffer", drawing.oneOf("spark.buffer", "32k", "1k"));
        settings.put("spark.boltshuffle.writer.fileBuffer", drawing.oneOf("buffer", "128k", "64k", "1m"));
        settings.put(
                "spark.boltshuffle.writer.maxPartitions", drawing.oneOf("maxPartitions", "0", "20000", "20000", "100"));
        settings.put("spark.boltshuffle.sqlRows.enabled", drawing.oneOf("sqlRows", "true", "true", "false"));
        settings.put("spark.shuffle.sort.bypassMergeThreshold", drawing.oneOf("bypass", "200", "200", "0", "1000"));
        settings.put("spark.shuffle.sort.useRadixSort", drawing.oneOf("radix", "true", "false"));
        settings.put("spark.shuffle.unsafe.fastMergeEnabled", drawing.oneOf("fastMerge", "true", "false"));
        long executionBytes = 1L << drawing.oneOf("executionBytesLog2", 28, 26, 24, 22, 20, 16);
        settings.put("spark.testing.memory", String.valueOf(executionBytes));
        settings.put("spark.testing.reservedMemory", "0");
        settings.put("spark.memory.fraction", "1.0");
        boolean offHeap = drawing.oneOf("offHeap", false, false, false, true);
        settings.put("spark.memory.offHeap.enabled", String.valueOf(offHeap));
        settings.put("spark.memory.offHeap.size", offHeap ? "64m" : "0");
        settings.put("spark.cleaner.referenceTracking", "false"); // it would delete files while they are looked at
        return new Site(settings, checksums, executionBytes);
    }

    /** Returns whether the codec refuses its setting as it is used. */
    boolean refusesBlockSize() {
        return REFUSED_BLOCK.equals(settings.get("spark.io.compression.lz4.blockSize"));
    }

    /** Returns whether Spark's serialized writer copies spills through streams, though they are not compressed. */
    boolean mergesPlainSpillsSlowly() {
        return "false".equals(settings.get("spark.shuffle.compress"))
                && "false".equals(settings.get("spark.shuffle.unsafe.fastMergeEnabled"));
    }

    private static void codec(Drawing drawing, Map<String, String> settings) {
        Codec codec = drawing.oneOf("codec", Codec.LZ4, Codec.LZ4, Codec.NONE, Codec.ZSTD, Codec.SNAPPY, Codec.LZF);
        settings.put("spark.shuffle.compress", String.valueOf(codec != Codec.NONE));
        settings.put("spark.shuffle.spill.compress", String.valueOf(drawing.oneOf("spillCompress", true, false)));
        settings.put("spark.io.compression.codec", codec == Codec.NONE ? "lz4" : codec.name());
        switch (codec) {
            case NONE -> {}
            case LZ4 ->
                settings.put(
                        "spark.io.compression.lz4.blockSize",
                        drawing.oneOf("lz4.block", "32k", "64b", "1m", REFUSED_BLOCK));
            case SNAPPY ->
                settings.put("spark.io.compression.snappy.blockSize", drawing.oneOf("snappy.block", "32k", "1k"));
            case ZSTD -> {
                settings.put("spark.io.compression.zstd.bufferSize", drawing.oneOf("zstd.buffer", "32k", "1k"));
                settings.put("spark.io.compression.zstd.level", drawing.oneOf("zstd.level", "1", "9"));
                settings.put(
                        "spark.io.compression.zstd.bufferPool.enabled", drawing.oneOf("zstd.pool", "true", "false"));
            }
            // Its parallel streams wait for ever if they are closed after a failure.
            case LZF -> settings.put("spark.io.compression.lzf.parallel.enabled", "false");
        }
    }
}
