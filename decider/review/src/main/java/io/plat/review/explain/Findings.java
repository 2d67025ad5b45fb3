package io.plat.review.explain;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about a request.
 *
 * @param grants what allows it
 * @param nearMisses what almost does, nearest first; told only where nothing allows it
 * @param suggestion what would allow it; null where it is allowed
 * @param unexplained those whose grants are not known
 */
public record Findings(
        Bounded<NamedGrant> grants,
        Bounded<NearMiss> nearMisses,
        @Nullable Suggestion suggestion,
        List<Unexplained> unexplained) {
    /** Nothing was found, and there was nothing to look through. */
    public static final Findings NOTHING = new Findings(Bounded.none(), Bounded.none(), null, List.of());

    public Findings {
        Objects.requireNonNull(grants);
        Objects.requireNonNull(nearMisses);
        unexplained = List.copyOf(unexplained);
    }

    /** What allows a request, and nothing else. */
    public static Findings of(Bounded<NamedGrant> grants) {
        return new Findings(grants, Bounded.none(), null, List.of());
    }
}
