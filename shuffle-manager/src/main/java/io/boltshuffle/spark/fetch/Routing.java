package io.boltshuffle.spark.fetch;

import java.util.List;

/**
 * Decides which blocks of a fetch go by RDMA.
 *
 * @param policies reviewed in this order
 */
record Routing(FetchServices services, List<FetchPolicy> policies) {

    Routing {
        policies = List.copyOf(policies);
    }

    FetchPlan plan(String host, List<String> blockIds) {
        FetchPlan plan = new FetchPlan(host, blockIds);
        for (FetchPolicy policy : policies) {
            if (plan.candidates().isEmpty()) {
                break;
            }
            policy.review(plan);
        }
        return plan;
    }
}
