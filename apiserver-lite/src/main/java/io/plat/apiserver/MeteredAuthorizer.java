package io.plat.apiserver;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.http.metrics.DecisionCounters;
import io.plat.http.metrics.DecisionCounters.Outcome;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Authorizer that counts the decisions of another one. A request that no mode allowed counts as decided by all modes together, {@code
 * Union}.
 */
final class MeteredAuthorizer implements Authorizer {
    /** Values of the label {@code result} of {@code authorization_attempts_total}, as in kube-apiserver. */
    private static final List<String> RESULTS = List.of("allowed", "denied", "no-opinion", "error");

    private final Authorizer authorizer;
    private final DecisionCounters counters;
    private final String all;
    private final boolean countsByName;
    private final Map<String, Counter> attempts = new HashMap<>();

    /**
     * Counts the decisions of an authorizer.
     *
     * @param modes names of its modes
     * @param countsByName whether it counts the decisions of authorizers in a file itself
     */
    MeteredAuthorizer(Authorizer authorizer, MeterRegistry registry, List<String> modes, boolean countsByName) {
        this.authorizer = authorizer;
        this.all = modes.size() == 1 ? modes.getFirst() : "Union";
        this.counters = new DecisionCounters(registry, List.of(all));
        this.countsByName = countsByName;
        for (String result : RESULTS) {
            attempts.put(
                    result,
                    Counter.builder("authorization.attempts")
                            .description("Requests by authorization decision.")
                            .tag("result", result)
                            .register(registry));
        }
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
        switch (decision) {
            case Decision.Allow allow -> {
                String authorizer = allow.grant().authorizer();
                // Authorizers listed in a file are counted by name already; requests that pass before any is consulted
                // are not.
                count("allowed", authorizer, Outcome.ALLOWED, countsByName && !authorizer.equals(UserInfo.MASTERS));
            }
            case Decision.Deny ignored -> count("denied", all, Outcome.DENIED, countsByName);
            case Decision.NoOpinion ignored -> count("no-opinion", all, Outcome.DENIED, false);
            case Decision.Undecided undecided ->
                count(
                        "error",
                        all,
                        switch (undecided.cause()) {
                            case FAILED -> Outcome.FAILED;
                            case NOT_LOADED -> Outcome.NOT_LOADED;
                        },
                        false);
        }
        return decision;
    }

    private void count(String result, String authorizer, Outcome outcome, boolean counted) {
        if (!counted) {
            counters.count(authorizer, outcome);
        }
        Objects.requireNonNull(attempts.get(result)).increment();
    }
}
