package io.boltshuffle.spark.fetch;

import io.boltshuffle.agent.TwoAgents;
import io.boltshuffle.wire.BlockRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class AgentTransportContractTest extends ReachingTransportContract {
    private final TwoAgents hosts;

    AgentTransportContractTest(@TempDir Path temp) throws IOException {
        hosts = new TwoAgents(temp, Map.of());
    }

    @Override
    RdmaTransport open() throws IOException {
        hosts.startAgents(1);
        return new AgentTransport(hosts.connectedReader(), /* waitsForContact= */ true);
    }

    @Override
    BlockSource source() {
        return new BlockSource(TwoAgents.SERVER, 7337, "1");
    }

    @Override
    byte[] written(long map, int bytes) throws IOException {
        hosts.files().write(0, map, bytes);
        return hosts.files().expected(new BlockRange(0, map, 0, 1));
    }

    @Override
    long heldBytes() throws IOException {
        return hosts.pinnedBytes(TwoAgents.READER);
    }

    @AfterEach
    void stopAgents() {
        hosts.close();
    }
}
