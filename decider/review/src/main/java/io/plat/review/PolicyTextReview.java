package io.plat.review;

/**
 * A decoded PolicyText: the text of the policy in effect.
 *
 * @param match only objects and lines that contain this, {@code ""} for all
 */
public record PolicyTextReview(ReviewVersion version, String match) {
    public static final String KIND = "PolicyText";

    public static final String RESOURCE = "policytexts";
}
