package io.plat.engine.condition;

import io.plat.review.Attributes;

/** Selection of the requests that are passed to an authorizer. Thread-safe; never blocks. */
@FunctionalInterface
public interface RequestMatcher {
    /** Returns whether the request is passed on. Never null; must not throw for any attributes. */
    Match match(Attributes attributes);

    /** Result of matching a request. */
    sealed interface Match {
        /** The request is passed to the authorizer. */
        record Included() implements Match {}

        /** The request is not passed to the authorizer. */
        record Excluded() implements Match {}

        /**
         * The condition could not be evaluated.
         *
         * @param reason one line, without secrets
         */
        record Failed(String reason) implements Match {}
    }
}
