package io.boltshuffle.examples;

import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/** Damages what a driver prints, which its end may cut off. */
class ProgressFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        String[] lines = Arrays.stream(ProgressLineTest.lines())
                .map(ProgressLine::format)
                .toArray(String[]::new);
        return Stream.of(FuzzTarget.ofText("progress-line", ProgressLine::parse, Set.of(), lines));
    }
}
