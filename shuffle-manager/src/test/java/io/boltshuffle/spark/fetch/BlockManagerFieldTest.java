package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import org.apache.spark.network.BlockTransferService;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.ExternalBlockStoreClient;
import org.apache.spark.storage.BlockManager;
import org.junit.jupiter.api.Test;

/** The fields that the reflection relies on exist in the Spark that the test runs on. */
class BlockManagerFieldTest {

    @Test
    void sparksBlockManagerHasBothFields() throws Exception {
        assertThatItHas("blockTransferService", BlockTransferService.class);
        assertThatItHas("blockStoreClient", BlockStoreClient.class);
        assertThat(BlockManager.class.getModule().isNamed()).isFalse();
    }

    private static void assertThatItHas(String name, Class<?> type) throws Exception {
        Field field = BlockManager.class.getDeclaredField(name);
        assertThat(field.getType()).isEqualTo(type);
        assertThat(Modifier.isStatic(field.getModifiers())).isFalse();
        assertThat(BlockManager.class.getMethod(name).getReturnType()).isEqualTo(type);
    }

    /** A class that has moved would never be found there, and blocks would go by TCP without a word. */
    @Test
    void sparksOwnClientsHaveTheNamesThatAreExpected() throws Exception {
        assertThat(BlockManagerField.NETTY).satisfies(Class::forName);
        assertThat(BlockManagerField.EXTERNAL).isEqualTo(ExternalBlockStoreClient.class.getName());
    }

    @Test
    void whatIsNotSparksOwnStaysWhereItIs() {
        assertThatThrownBy(() -> BlockManagerField.requireSparksOwn(
                        "blockStoreClient", new FakeNetty(), List.of(BlockManagerField.NETTY)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the blockStoreClient of Spark's block manager is a " + FakeNetty.class.getName()
                        + ", not Spark's own");
    }
}
