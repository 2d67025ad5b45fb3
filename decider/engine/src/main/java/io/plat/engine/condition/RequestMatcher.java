package io.plat.engine.condition;

import io.plat.review.Attributes;

/** Says which requests an authorizer is asked about. For any number of threads; never waits. */
@FunctionalInterface
public interface RequestMatcher {
    /** Whether a request is one of them. Never null; must not throw for any attributes. */
    Match match(Attributes attributes);

    /** What a matcher found. */
    sealed interface Match {
        /** The authorizer is asked. */
        record Included() implements Match {}

        /** It is not. */
        record Excluded() implements Match {}

        /**
         * It can't be told.
         *
         * @param reason why, in one line, without secrets
         */
        record Failed(String reason) implements Match {}
    }
}
