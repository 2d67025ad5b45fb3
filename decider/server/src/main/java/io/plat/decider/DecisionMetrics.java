package io.plat.decider;

import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Decision;
import io.plat.http.metrics.DecisionCounters;
import io.plat.http.metrics.DecisionCounters.Outcome;
import java.util.List;

/** Counts decisions by the mode that made them. What several modes agreed not to allow was decided by all of them together, {@code Union}. */
final class DecisionMetrics {
    private final DecisionCounters counters;
    private final String all;

    /**
     * Metrics of a decider.
     *
     * @param all what is counted where no single mode decided: the only mode, or {@code Union}
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
