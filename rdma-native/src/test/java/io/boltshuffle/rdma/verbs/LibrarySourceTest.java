package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.Availability.Available;
import io.boltshuffle.rdma.Availability.Unavailable;
import io.boltshuffle.rdma.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibrarySourceTest {

    @Test
    void anAbsentFileIsAReasonWithARemedyAndNotAnException(@TempDir Path directory) {
        JnaVerbsProvider provider = JnaVerbsProvider.ofFile(directory.resolve("absent.so"));

        assertThat(provider.availability()).isInstanceOfSatisfying(Unavailable.class, missing -> {
            assertThat(missing.reason()).contains("absent.so");
            assertThat(missing.remedy()).contains("path");
        });
        assertThatThrownBy(provider::deviceNames)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.remedy()).isPresent());
    }

    @Test
    void aFileThatIsNoLibraryIsAReason(@TempDir Path directory) throws Exception {
        Path text = Files.writeString(directory.resolve("text.so"), "not an object file");

        assertThat(JnaVerbsProvider.ofFile(text).availability())
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        missing -> assertThat(missing.reason()).startsWith("cannot load"));
    }

    @Test
    void aLibraryWithoutVerbsNamesTheSymbolsItLacks() {
        Path zip = Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("zip"));
        assumeTrue(Files.exists(zip), "this JDK ships libzip as a file");

        assertThat(JnaVerbsProvider.ofFile(zip).availability())
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        missing -> assertThat(missing.reason()).contains("ibv_alloc_pd", "ibv_reg_mr"));
    }

    @Test
    void theLibraryOfThisHostListsItsDevicesOrSaysWhyNot() throws Exception {
        JnaVerbsProvider provider = JnaVerbsProvider.ofThisHost();
        Availability availability = provider.availability();
        assumeTrue(availability instanceof Available, () -> availability.toString());

        assertThat(provider.deviceNames()).doesNotHaveDuplicates();
        assertThatThrownBy(() -> provider.open("no such device"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("no such device");
    }
}
