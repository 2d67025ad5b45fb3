package io.plat.apiserver;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.authorization.DecisionCounters;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import org.jspecify.annotations.Nullable;

/** Authorizer that counts the decisions of another one. */
final class MeteredAuthorizer implements Authorizer {
    private final Authorizer authorizer;
    private final DecisionCounters counters;
    private final Counter allowed;
    private final Counter denied;
    private final Counter withoutOpinion;
    private final Counter failed;

    /** Counts the decisions of an authorizer, and requests by decision as in kube-apiserver: {@code authorization_attempts_total}. */
    MeteredAuthorizer(Authorizer authorizer, DecisionCounters counters, MeterRegistry registry) {
        this.authorizer = authorizer;
        this.counters = counters;
        this.allowed = attempts(registry, "allowed");
        this.denied = attempts(registry, "denied");
        this.withoutOpinion = attempts(registry, "no-opinion");
        this.failed = attempts(registry, "error");
    }

    private static Counter attempts(MeterRegistry registry, String result) {
        return Counter.builder("authorization.attempts")
                .description("Requests by authorization decision.")
                .tag("result", result)
                .register(registry);
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return counted(authorizer.authorize(attributes));
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        Decision fromMemory = authorizer.decideFromMemory(attributes);
        return fromMemory == null ? null : counted(fromMemory);
    }

    private Decision counted(Decision decision) {
        counters.count(decision);
        Counter attempts = switch (decision) {
            case Decision.Allow ignored -> allowed;
            case Decision.Deny ignored -> denied;
            case Decision.NoOpinion ignored -> withoutOpinion;
            case Decision.Undecided ignored -> failed;
        };
        attempts.increment();
        return decision;
    }
}
