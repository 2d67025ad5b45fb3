package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.NearestMisses;
import io.plat.review.Attributes;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Explanation of one request by a policy file, found by scanning every line. For a single use. */
final class AbacExplanation {
    private final Attributes request;
    private final List<NamedGrant> grants = new ArrayList<>();
    private final NearestMisses<Integer> misses = new NearestMisses<>(Comparator.<Integer>naturalOrder());
    private final List<Decision.Allow> lines;
    private long grantsLeftOut;

    AbacExplanation(PolicyLines policy, Attributes request) {
        this.request = request;
        this.lines = policy.allows();
        LineMismatches gaps = new LineMismatches(request.access());
        for (int position = 0; position < lines.size(); position++) {
            add(position, gaps);
        }
    }

    private void add(int position, LineMismatches gaps) {
        AbacLine line = PolicyLines.lineOf(lines.get(position));
        int ofAccess = gaps.ofAccess(line);
        if (ofAccess == LineMismatches.OTHER_KIND) {
            return;
        }
        int lacks = ofAccess | LineMismatches.ofUser(line, request.user());
        if (lacks != 0) {
            misses.add(lacks, position);
        } else if (grants.size() < Explainer.MAX_GRANTS) {
            grants.add(named(position));
        } else {
            grantsLeftOut++;
        }
    }

    private NamedGrant named(int position) {
        return lines.get(position).grant().named();
    }

    /**
     * Returns the explanation of a decision.
     *
     * @param decision the decision under the same policy
     */
    ExplainedDecision explained(Decision decision) {
        BoundedList<NamedGrant> told = new BoundedList<>(grants, grantsLeftOut);
        return new ExplainedDecision(
                decision,
                decision instanceof Decision.Allow
                        ? Findings.of(told)
                        : new Findings(told, misses.named(this::named), LineSuggestion.of(request), List.of()));
    }
}
