package io.plat.review.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Findings about a request.
 *
 * @param grants the grants that allow it
 * @param nearMisses grants that almost match, nearest first; only if nothing allows it
 * @param suggestion a grant that would allow it; null if it is allowed
 * @param unexplained members whose grants are unknown
 */
public record Findings(
        BoundedList<NamedGrant> grants,
        BoundedList<NearMiss> nearMisses,
        @Nullable Suggestion suggestion,
        List<UnexplainedAuthorizer> unexplained) {
    /** No findings, with nothing to scan. */
    public static final Findings NOTHING = new Findings(BoundedList.none(), BoundedList.none(), null, List.of());

    public Findings {
        unexplained = List.copyOf(unexplained);
    }

    /** Returns findings of grants only. */
    public static Findings of(BoundedList<NamedGrant> grants) {
        return new Findings(grants, BoundedList.none(), null, List.of());
    }
}
