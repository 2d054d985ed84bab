package io.boltshuffle.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.boltshuffle.cli.verify.AbiReport.Compared;
import io.boltshuffle.cli.verify.AbiReport.NotRun;
import io.boltshuffle.cli.verify.AbiReport.Row;
import io.boltshuffle.cli.verify.AbiReport.Verdict;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbiAuditTest {

    @Test
    void everyNumberAgreesWithTheHeaderOfThisMachine(@TempDir Path directory) throws Exception {
        AbiReport report = AbiAudit.run(directory);
        if (report instanceof NotRun absent) {
            abort(absent.reason() + " (" + absent.remedy() + ")");
        }

        assertThat(report).isInstanceOfSatisfying(Compared.class, compared -> {
            assertThat(compared.rows()).noneMatch(row -> row.verdict() == Verdict.MISMATCH);
            assertThat(compared.rows()).hasSizeGreaterThan(100);
            assertThat(compared.agrees()).isTrue();
        });
    }

    @Test
    void withoutACompilerNothingIsClaimed(@TempDir Path directory) throws Exception {
        assertThat(AbiAudit.run(directory, "no-such-compiler")).isInstanceOfSatisfying(NotRun.class, absent -> {
            assertThat(absent.reason()).contains("no-such-compiler");
            assertThat(absent.remedy()).contains("libibverbs-dev");
        });
    }

    @Test
    void anotherValueAndANameOnOneSideOnlyAreMismatches() {
        Compared compared = AbiAudit.compare(
                Map.of("ibv_wc.size", 48L, "ours.only", 1L), Map.of("ibv_wc.size", 64L, "header.only", 2L));

        assertThat(compared.agrees()).isFalse();
        assertThat(compared.rows())
                .containsExactly(
                        new Row("header.only", OptionalLong.empty(), OptionalLong.of(2), Verdict.MISMATCH, ""),
                        new Row("ibv_wc.size", OptionalLong.of(48), OptionalLong.of(64), Verdict.MISMATCH, ""),
                        new Row("ours.only", OptionalLong.of(1), OptionalLong.empty(), Verdict.MISMATCH, ""));
    }

    @Test
    void theSizesOfPortAttributesThatAreKnownDoNotBreakTheAudit() {
        for (long size : new long[] {52, 56}) {
            assertThat(AbiAudit.compare(Map.of("ibv_port_attr.size", 52L), Map.of("ibv_port_attr.size", size))
                            .agrees())
                    .isTrue();
        }
        assertThat(AbiAudit.compare(Map.of("ibv_port_attr.size", 52L), Map.of("ibv_port_attr.size", 64L))
                        .agrees())
                .isFalse();
    }
}
