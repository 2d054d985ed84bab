package io.boltshuffle.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private final TextTable table =
            new TextTable(List.of("blocks", "GB/s"), List.of(List.of("4 KiB", "0.5"), List.of("<16 MiB", "12.25")));

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        assertThat(table.toText().lines()).containsExactly("blocks    GB/s", "4 KiB      0.5", "<16 MiB  12.25");
    }

    @Test
    void columnsOfWordsAreAlignedToTheLeft() {
        assertThat(table.toText(TextTable.Align.LEFT).lines())
                .containsExactly("blocks   GB/s", "4 KiB    0.5", "<16 MiB  12.25");
    }

    @Test
    void textIsEscapedOnAPage() {
        assertThat(table.toHtml()).contains("<td>&lt;16 MiB</td><td>12.25</td>");
    }
}
