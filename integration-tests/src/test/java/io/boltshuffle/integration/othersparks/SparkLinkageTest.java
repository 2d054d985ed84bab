package io.boltshuffle.integration.othersparks;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.runtime.SparkLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.xbean.asm9.ClassWriter;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every line of Spark has the members that the byte code of this build names. With {@code -Dother.spark=DIRECTORY} the
 * failures are the list of what a new line demands.
 */
class SparkLinkageTest {
    private static final List<Path> CLASSES =
            List.of(Path.of("../shuffle-manager/target/classes"), Path.of("../spark-conf/target/classes"));

    /** Members that some lines lack, and that are never reached there. */
    private static final Set<String> ONLY_SOME_HAVE = Set.of(
            // Until 4.2: BoltBlockTransfer has two forms of uploadBlock, and each Spark calls the one that it has.
            "io.boltshuffle.spark.block.BoltBlockTransfer -> org.apache.spark.network.BlockTransferService.uploadBlock("
                    + "Ljava/lang/String;ILjava/lang/String;Lorg/apache/spark/storage/BlockId;"
                    + "Lorg/apache/spark/network/buffer/ManagedBuffer;Lorg/apache/spark/storage/StorageLevel;"
                    + "Lscala/reflect/ClassTag;)Lscala/concurrent/Future;",
            // From 4.1 on: SparkVersions looks first.
            "io.boltshuffle.spark.write.RowChecksums -> org.apache.spark.shuffle.checksum.RowBasedChecksum",
            "io.boltshuffle.spark.write.SparkVersions$Newer -> org.apache.spark.shuffle.checksum.RowBasedChecksum",
            "io.boltshuffle.spark.write.SparkVersions$Newer -> org.apache.spark.ShuffleDependency.rowBasedChecksums()"
                    + "[Lorg/apache/spark/shuffle/checksum/RowBasedChecksum;");

    /**
     * Methods that a class in front of Spark's may leave to its superclass: a check of the application's id, which only
     * Spark's own subclasses call, and one that calls uploadBlock and waits.
     */
    private static final Map<String, Set<String>> LEFT_TO_THE_SUPERCLASS = Map.of(
            "io/boltshuffle/spark/block/BoltBlockTransfer",
            Set.of("checkInit", "uploadBlockSync"),
            "io/boltshuffle/spark/fetch/RoutingBlockStoreClient",
            Set.of("checkInit"));

    @Test
    void theSparkOfThisBuildHasEverything() throws IOException {
        try (ClassPool spark = ClassPool.of(OtherSpark.ownClassPath())) {
            SparkLinkage linkage = SparkLinkage.of(CLASSES, spark);

            assertThat(linkage.references()).isGreaterThan(300);
            assertThat(linkage.missing()).isEmpty();
            assertThat(linkage.unimplemented()).isEmpty();
            assertThatNothingIsLeftOut(linkage);
        }
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("lines")
    void everyLineHasWhatIsReachedThere(SparkLine line) throws IOException {
        try (ClassPool spark = ClassPool.of(OtherSpark.of(line).jars())) {
            SparkLinkage linkage = SparkLinkage.of(CLASSES, spark);

            assertThat(linkage.missing()).isSubsetOf(ONLY_SOME_HAVE);
            assertThat(linkage.unimplemented()).isEmpty();
            assertThatNothingIsLeftOut(linkage);
        }
    }

    static List<SparkLine> lines() {
        return OtherSpark.lines();
    }

    private static void assertThatNothingIsLeftOut(SparkLinkage linkage) {
        LEFT_TO_THE_SUPERCLASS.forEach((wrapper, left) -> {
            Stream<String> inherited = linkage.inherited(wrapper).stream()
                    .map(signature -> signature.substring(0, signature.indexOf('(')))
                    .filter(name -> !name.contains("$default$"));
            assertThat(inherited).as(wrapper).isSubsetOf(left);
        });
    }

    @Test
    void whatIsMissingIsFound() throws IOException {
        try (ClassPool spark = ClassPool.of(OtherSpark.ownClassPath())) {
            SparkLinkage linkage = SparkLinkage.of(Stream.of(planted()), spark);

            assertThat(linkage.missing())
                    .containsExactly(
                            "planted.Service -> org.apache.spark.NoSuchClass",
                            "planted.Service -> org.apache.spark.SparkEnv.noSuchField I",
                            "planted.Service -> org.apache.spark.SparkEnv.noSuchMethod()V",
                            "planted.Service -> planted.Service.noSuchMethodAbove()V");
            assertThat(linkage.unimplemented())
                    .contains("planted.Service -> org.apache.spark.network.BlockTransferService.port()I")
                    .noneMatch(line -> line.contains("hostName"));
            assertThat(linkage.inherited("planted/Service")).contains("getAppAttemptId()Ljava/lang/String;");
            assertThat(linkage.reflective()).containsExactly("planted.Service");
        }
    }

    /** Returns a class that no Spark satisfies. */
    private static byte[] planted() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(
                Opcodes.V17,
                Opcodes.ACC_FINAL,
                "planted/Service",
                null,
                "org/apache/spark/network/BlockTransferService",
                null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "hostName", "()Ljava/lang/String;", null, null);
        code.visitTypeInsn(Opcodes.NEW, "org/apache/spark/NoSuchClass");
        code.visitFieldInsn(Opcodes.GETSTATIC, "org/apache/spark/SparkEnv", "noSuchField", "I");
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "org/apache/spark/SparkEnv", "noSuchMethod", "()V", false);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "org/apache/spark/SparkEnv", "get", sparkEnv(), false);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "planted/Service", "noSuchMethodAbove", "()V", false);
        code.visitMethodInsn(
                Opcodes.INVOKEVIRTUAL, "planted/Service", "getAppAttemptId", "()Ljava/lang/String;", false);
        code.visitMethodInsn(
                Opcodes.INVOKESTATIC, "java/lang/Class", "forName", "(Ljava/lang/String;)Ljava/lang/Class;", false);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static String sparkEnv() {
        return "()Lorg/apache/spark/SparkEnv;";
    }
}
