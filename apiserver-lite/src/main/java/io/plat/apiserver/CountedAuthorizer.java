package io.plat.apiserver;

import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.http.metrics.DecisionCounters;
import io.plat.http.metrics.DecisionCounters.Outcome;
import io.plat.review.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what is decided about requests. What several modes agreed not to allow was decided by all of them together, {@code Union}. */
final class CountedAuthorizer implements Authorizer {
    private final Authorizer authorizer;
    private final DecisionCounters counters;
    private final String all;

    /**
     * Counts the decisions of an authorizer.
     *
     * @param modes the modes that it is made of
     */
    CountedAuthorizer(Authorizer authorizer, MeterRegistry registry, List<String> modes) {
        this.authorizer = authorizer;
        this.all = modes.size() == 1 ? modes.getFirst() : "Union";
        this.counters = new DecisionCounters(registry, List.of(all));
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return counted(authorizer.authorize(attributes));
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        Decision known = authorizer.decideFromMemory(attributes);
        return known == null ? null : counted(known);
    }

    private Decision counted(Decision decision) {
        switch (decision) {
            case Decision.Allow allow -> counters.count(allow.grant().authorizer(), Outcome.ALLOWED);
            case Decision.Deny ignored -> counters.count(all, Outcome.DENIED);
            case Decision.NoOpinion ignored -> counters.count(all, Outcome.DENIED);
            case Decision.Undecided undecided ->
                counters.count(
                        all,
                        switch (undecided.cause()) {
                            case FAILED -> Outcome.FAILED;
                            case NOT_LOADED -> Outcome.NOT_LOADED;
                        });
        }
        return decision;
    }
}
