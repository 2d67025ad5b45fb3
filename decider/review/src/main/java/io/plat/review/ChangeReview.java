package io.plat.review;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An AccessChange as it was asked: what would become of everybody's access if the policy were edited like this?
 *
 * @param version the version it was written in, and is answered in
 * @param manifests role objects, as manifests; null where they stay as they are
 * @param whole whether there are no role objects then but these; else they take the place of those with the same names
 * @param lines the policy file as it would be, whole; null where it stays as it is
 */
public record ChangeReview(
        ReviewVersion version,
        @Nullable String manifests,
        boolean whole,
        @Nullable String lines) {
    /** The field {@code kind}. */
    public static final String KIND = "AccessChange";

    /** The resource name as in the URL. */
    public static final String RESOURCE = "accesschanges";

    public ChangeReview {
        Objects.requireNonNull(version);
    }
}
