package io.plat.decider.shadow;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Decision;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** {@code authorization_shadow_decisions_total}: what became of each decision that a candidate should have made as well. */
final class Comparisons {
    /** What two decisions are to each other. */
    enum Result {
        /** Both allow, or neither does. */
        AGREED("agreed"),
        /** What is allowed would no longer be. */
        ALLOW_TO_DENY("allow_to_deny"),
        /** What is not allowed would be. */
        DENY_TO_ALLOW("deny_to_allow"),
        /** One of them could not tell. */
        ERROR("error"),
        /** The candidate was not asked, as too much waited for it. */
        DROPPED("dropped");

        private final String word;

        Result(String word) {
            this.word = word;
        }

        /** Whether the candidate decides otherwise, or can't where it should. */
        boolean isToBeTold() {
            return switch (this) {
                case ALLOW_TO_DENY, DENY_TO_ALLOW, ERROR -> true;
                case AGREED, DROPPED -> false;
            };
        }

        /** What the real decision and the candidate's are to each other. */
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
                    .description("Decisions by what the candidate policy makes of them.")
                    .tag("result", result.word)
                    .register(registry);
            counters.put(result, counter);
        }
    }

    void count(Result result) {
        Objects.requireNonNull(counters.get(result)).increment();
    }
}
