package io.plat.review;

import java.util.Objects;

/**
 * A PolicyText as it was asked: what does the policy in force say?
 *
 * @param version the version it was written in, and is answered in
 * @param match only objects and lines that hold this, {@code ""} for all
 */
public record PolicyTextReview(ReviewVersion version, String match) {
    /** The field {@code kind}. */
    public static final String KIND = "PolicyText";

    /** The resource name as in the URL. */
    public static final String RESOURCE = "policytexts";

    public PolicyTextReview {
        Objects.requireNonNull(version);
        Objects.requireNonNull(match);
    }
}
