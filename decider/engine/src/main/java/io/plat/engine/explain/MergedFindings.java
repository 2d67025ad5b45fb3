package io.plat.engine.explain;

import io.plat.engine.Decision;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.Suggestion;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Findings of several explainers about one request, merged. Not thread-safe. */
public final class MergedFindings {
    /** Mode whose suggestion is preferred: a role grants exactly the request, while a policy line cannot name a verb. */
    private static final String PREFERRED = "RBAC";

    private final List<NamedGrant> grants = new ArrayList<>();
    private final List<NearMiss> nearMisses = new ArrayList<>();
    private final List<Suggestion> suggestions = new ArrayList<>();
    private final List<UnexplainedAuthorizer> unexplained = new ArrayList<>();
    private long grantsLeftOut;
    private long nearMissesLeftOut;

    /** Adds the findings of one explainer. */
    public void add(Findings findings) {
        grants.addAll(findings.grants().items());
        grantsLeftOut += findings.grants().leftOut();
        nearMisses.addAll(findings.nearMisses().items());
        nearMissesLeftOut += findings.nearMisses().leftOut();
        unexplained.addAll(findings.unexplained());
        if (findings.suggestion() != null) {
            suggestions.add(findings.suggestion());
        }
    }

    public ExplainedDecision with(Decision decision) {
        BoundedList<NamedGrant> reported = more(BoundedList.of(grants, Explainer.MAX_GRANTS), grantsLeftOut);
        if (decision instanceof Decision.Allow) {
            return new ExplainedDecision(decision, new Findings(reported, BoundedList.none(), null, unexplained));
        }
        nearMisses.sort(Comparator.comparingInt(miss -> ScannedGrants.distance(miss.lacks())));
        BoundedList<NearMiss> nearest = more(BoundedList.of(nearMisses, Explainer.MAX_NEAR_MISSES), nearMissesLeftOut);
        return new ExplainedDecision(decision, new Findings(reported, nearest, suggestion(), unexplained));
    }

    private static <T> BoundedList<T> more(BoundedList<T> bounded, long leftOut) {
        return new BoundedList<>(bounded.items(), bounded.leftOut() + leftOut);
    }

    private Suggestion suggestion() {
        if (suggestions.isEmpty()) {
            return Suggestion.none("", "no mode in use has a policy that a grant could be added to");
        }
        suggestions.sort(
                Comparator.comparing(suggestion -> !suggestion.authorizer().equals(PREFERRED)));
        return suggestions.stream()
                .filter(suggestion -> !suggestion.text().isEmpty())
                .findFirst()
                .orElseGet(() -> Suggestion.none(
                        suggestions.getFirst().authorizer(),
                        suggestions.stream().map(Suggestion::note).distinct().collect(Collectors.joining("; "))));
    }
}
