package io.boltshuffle.queries;

import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import java.util.Set;
import java.util.stream.Stream;

/** Damages what a run of queries prints, which its end may cut off. */
class QueryResultFuzzTest extends FuzzContract {

    @Override
    protected int thinning() {
        return 20;
    }

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(FuzzTarget.ofText(
                "query-result", QueryResult::parse, Set.of(IllegalArgumentException.class), "q3\t10 ab12cd"));
    }
}
