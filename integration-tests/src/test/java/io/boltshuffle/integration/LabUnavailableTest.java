package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.cli.base.ExitCode;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.proof.lab.Lab;
import io.boltshuffle.proof.lab.LabEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * Shows that the lab says so, with a code of its own, where there can be none. Its tests are then skipped and never
 * pass in silence.
 */
class LabUnavailableTest {

    private final Path directory;
    private final Path programs;

    LabUnavailableTest(@TempDir Path directory) {
        this.directory = directory;
        this.programs = directory.resolve("bin");
    }

    @BeforeEach
    void makeFolderOfPrograms() throws IOException {
        Files.createDirectory(programs);
    }

    /** Deletes the links, and not what they point to, which does not belong to the test. */
    @AfterEach
    void removeLinks() {
        FileTrees.delete(programs);
    }

    @Test
    void anotherSystemIsToldSo() throws Exception {
        pretendToBe("Darwin", "arm64");

        LabRun prepared = prepare(LabEngine.QEMU, programs + ":" + System.getenv("PATH"));

        assertThat(prepared.code()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(prepared.output()).contains("this is Darwin/arm64", "remedy: run it on x86-64 Debian or Ubuntu");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aMissingPackageIsNamedAndTheTestSkipped() throws Exception {
        pretendToBeBareDebian();

        LabRun prepared = prepare(LabEngine.QEMU, programs.toString());

        assertThat(prepared.code()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThatThrownBy(prepared::requireLab)
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("missing: ")
                .hasMessageContaining("apt-get install")
                .hasMessageContaining("qemu-system-x86");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatUserModeLinuxIsBuiltWithIsNamed() throws Exception {
        pretendToBeBareDebian();

        LabRun prepared = prepare(LabEngine.UML, programs.toString());

        assertThat(prepared.code()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(prepared.output()).contains("apt-get install").contains("gcc make flex bison bc");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatAnotherProcessorIsEmulatedWithIsNamed() throws Exception {
        pretendToBeBareDebian();

        LabRun prepared = prepare(LabEngine.ARM64, programs.toString());

        assertThat(prepared.code()).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(prepared.output())
                .contains("apt-get install")
                .contains("qemu-system-arm mmdebstrap xz-utils")
                .doesNotContain("iproute2");
    }

    /** Leaves on the path what the lab calls before it could boot anything, but neither an emulator nor a compiler. */
    private void pretendToBeBareDebian() throws IOException {
        assumeTrue(Files.exists(Path.of("/usr/bin/apt-get")), "not Debian or Ubuntu");
        pretendToBe("Linux", "x86_64");
        linkPrograms("bash", "sh", "env", "dirname", "grep", "ldd", "busybox", "rdma", "tc", "dpkg-deb", "apt-get");
    }

    private void pretendToBe(String system, String machine) throws IOException {
        Path uname = Files.writeString(
                programs.resolve("uname"), "#!/bin/sh\n[ $1 = -s ] && echo " + system + " || echo " + machine + "\n");
        assertThat(uname.toFile().setExecutable(true)).isTrue();
    }

    private LabRun prepare(LabEngine engine, String path) throws Exception {
        ProcessBuilder command = Lab.in(Path.of("..")).prepare(engine);
        command.environment().put("PATH", path);
        command.environment().put("BOLT_LAB_CACHE", directory.resolve("cache").toString());
        return LabRun.of(command, directory.resolve("log"));
    }

    private void linkPrograms(String... names) throws IOException {
        for (String name : names) {
            for (String folder : List.of("/usr/bin", "/usr/sbin", "/bin", "/sbin")) {
                Path program = Path.of(folder, name);
                Path link = programs.resolve(name);
                if (Files.isExecutable(program) && Files.notExists(link)) {
                    Files.createSymbolicLink(link, program);
                }
            }
        }
    }
}
