package io.boltshuffle.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The counters of the kernel of the lab's guest at both ends of its cable.
 *
 * @param interfaceBytes that the two ends sent as network interfaces
 * @param verbsPackets that the two ends sent as Soft-RoCE devices
 */
record EmulatedCableCounters(long interfaceBytes, long verbsPackets) {

    static EmulatedCableCounters read() throws IOException {
        long bytes = 0;
        long packets = 0;
        for (int end = 5; end <= 6; end++) {
            bytes += count("/sys/class/net/en" + end + "/statistics/tx_bytes");
            packets += count("/sys/class/infiniband/rdma_en" + end + "/ports/1/hw_counters/sent_pkts");
        }
        return new EmulatedCableCounters(bytes, packets);
    }

    EmulatedCableCounters since(EmulatedCableCounters before) {
        return new EmulatedCableCounters(interfaceBytes - before.interfaceBytes, verbsPackets - before.verbsPackets);
    }

    private static long count(String file) throws IOException {
        return Long.parseLong(Files.readString(Path.of(file)).strip());
    }
}
