package io.plat.decider;

import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Decision;
import io.plat.http.metrics.DecisionCounters;
import io.plat.http.metrics.DecisionCounters.Outcome;
import java.util.List;

/** Metrics of decisions by mode. A decision that no mode allowed counts for all of them together, as {@code Union}. */
final class DecisionMetrics {
    private final DecisionCounters counters;
    private final String all;

    /**
     * Registers the metrics.
     *
     * @param all the name for decisions of no single mode: the only mode, or {@code Union}
     */
    DecisionMetrics(MeterRegistry registry, String all) {
        this.counters = new DecisionCounters(registry, List.of(all));
        this.all = all;
    }

    void count(Decision decision) {
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
    }
}
