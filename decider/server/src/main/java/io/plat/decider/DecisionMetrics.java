package io.plat.decider;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Decision;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * {@code apiserver_authorization_decisions_total}: decisions by the mode that made them and by outcome. What several modes
 * agreed not to allow was decided by all of them together, {@code Union}.
 */
final class DecisionMetrics {
    private final MeterRegistry registry;
    private final ConcurrentMap<String, Counter> allowed = new ConcurrentHashMap<>();
    private final Counter denied;
    private final Counter failed;
    private final Counter notLoaded;

    /**
     * Metrics of a decider.
     *
     * @param all what is counted where no single mode decided: the only mode, or {@code Union}
     */
    DecisionMetrics(MeterRegistry registry, String all) {
        this.registry = registry;
        this.denied = counter(all, "denied");
        this.failed = counter(all, "failed");
        this.notLoaded = counter(all, "not_loaded");
    }

    void count(Decision decision) {
        switch (decision) {
            case Decision.Allow allow -> allowedBy(allow.grant().authorizer()).increment();
            case Decision.Deny ignored -> denied.increment();
            case Decision.NoOpinion ignored -> denied.increment();
            case Decision.Undecided undecided ->
                (undecided.cause() == Decision.Cause.NOT_LOADED ? notLoaded : failed).increment();
        }
    }

    private Counter allowedBy(String mode) {
        Counter known = allowed.get(mode);
        return known != null ? known : allowed.computeIfAbsent(mode, name -> counter(name, "allowed"));
    }

    private Counter counter(String mode, String decision) {
        return Counter.builder("apiserver.authorization.decisions")
                .description("Decisions, by the authorizer that made them and by outcome.")
                .tag("type", mode)
                .tag("decision", decision)
                .register(registry);
    }
}
