package io.plat.review;

import java.util.Objects;

/**
 * A decoded PolicyText: the text of the policy in effect.
 *
 * @param version the version of the request and the response
 * @param match only objects and lines that contain this, {@code ""} for all
 */
public record PolicyTextReview(ReviewVersion version, String match) {
    public static final String KIND = "PolicyText";

    public static final String RESOURCE = "policytexts";

    public PolicyTextReview {
        Objects.requireNonNull(version);
        Objects.requireNonNull(match);
    }
}
