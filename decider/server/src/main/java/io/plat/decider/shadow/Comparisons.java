package io.plat.decider.shadow;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Decision;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Metrics of comparisons: {@code authorization_shadow_decisions_total}, by result. */
final class Comparisons {
    /** Result of comparing two decisions. */
    enum Result {
        /** Both allow, or neither does. */
        AGREED("agreed"),
        /** Allowed, and denied by the candidate. */
        ALLOW_TO_DENY("allow_to_deny"),
        /** Denied, and allowed by the candidate. */
        DENY_TO_ALLOW("deny_to_allow"),
        /** One of them could not be made. */
        ERROR("error"),
        /** Dropped, as the candidate's queue was full. */
        DROPPED("dropped");

        private final String word;

        Result(String word) {
            this.word = word;
        }

        /** Returns whether the result is reported: the candidate decides differently, or fails where it should not. */
        boolean isReported() {
            return switch (this) {
                case ALLOW_TO_DENY, DENY_TO_ALLOW, ERROR -> true;
                case AGREED, DROPPED -> false;
            };
        }

        static Result of(Decision real, Decision candidate) {
            if (real instanceof Decision.Undecided || candidate instanceof Decision.Undecided) {
                return ERROR;
            }
            boolean before = real instanceof Decision.Allow;
            boolean after = candidate instanceof Decision.Allow;
            if (before == after) {
                return AGREED;
            }
            return before ? ALLOW_TO_DENY : DENY_TO_ALLOW;
        }
    }

    private final Map<Result, Counter> counters = new EnumMap<>(Result.class);

    Comparisons(MeterRegistry registry) {
        for (Result result : Result.values()) {
            Counter counter = Counter.builder("authorization.shadow.decisions")
                    .description("Comparisons of decisions with those of the candidate policy, by result.")
                    .tag("result", result.word)
                    .register(registry);
            counters.put(result, counter);
        }
    }

    void count(Result result) {
        Objects.requireNonNull(counters.get(result)).increment();
    }
}
