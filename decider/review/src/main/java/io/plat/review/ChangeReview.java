package io.plat.review;

import org.jspecify.annotations.Nullable;

/**
 * A decoded AccessChange: the effect of an edited policy on everybody's access.
 *
 * @param manifests role objects, as manifests; null if unchanged
 * @param whole whether these replace all role objects; else they replace those with the same names
 * @param lines the whole new policy file; null if unchanged
 */
public record ChangeReview(
        ReviewVersion version,
        @Nullable String manifests,
        boolean whole,
        @Nullable String lines) {
    public static final String KIND = "AccessChange";

    public static final String RESOURCE = "accesschanges";
}
