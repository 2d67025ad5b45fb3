package io.plat.apiserver.representation.binary;

import org.jspecify.annotations.Nullable;

/** A plan that is compiled when it is first asked for: messages refer to each other in circles, and most are never used. */
final class PlanLink {
    private final MessagePlans plans;
    private final String message;

    /** Written without a lock: plans are immutable, and whoever sees none asks for the same one again. */
    private @Nullable MessagePlan plan;

    PlanLink(MessagePlans plans, String message) {
        this.plans = plans;
        this.message = message;
    }

    MessagePlan plan() {
        MessagePlan known = plan;
        if (known == null) {
            known = plans.plan(message);
            plan = known;
        }
        return known;
    }
}
