package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.NearestMisses;
import io.plat.engine.rbac.RbacBinding;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.Mismatch;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;

/** Explanation of one request by role objects, found by scanning every binding, and every rule if none allows it. For a single use. */
final class RbacExplanation {
    private final Attributes request;
    private final List<RoleObjects> indexes;
    private final List<NamedGrant> fixedGrants = new ArrayList<>();
    private final RuleMismatches mismatches;
    private final IdentityHashMap<CompiledRole, int[]> lacking = new IdentityHashMap<>();
    private final List<BoundRule> grants = new ArrayList<>();
    private final NearestMisses<BoundRule> misses = new NearestMisses<>(BoundRule.ORDER);

    /** Creates an explanation from several indexes, whose bindings only refer to roles of the same index. */
    RbacExplanation(List<RoleObjects> indexes, Attributes request) {
        this.indexes = indexes;
        this.request = request;
        this.mismatches = new RuleMismatches(request.access());
    }

    private void scan(Predicate<RbacBinding> wanted) {
        indexes.forEach(index -> index.forEachBinding(wanted, this::add));
        grants.sort(BoundRule.ORDER);
    }

    /** Returns whether a binding grants its role to the user in the requested namespace. */
    private boolean grants(RbacBinding binding) {
        return applies(binding, request.access()) && BoundSubject.isNamed(binding, request.user());
    }

    private void add(RbacBinding binding, CompiledRole role) {
        // Many bindings may refer to one role, whose mismatches are the same for all of them.
        int[] ofRules = lacking.computeIfAbsent(role, this::lacking);
        int lacks = Mismatch.NAMESPACE.unless(applies(binding, request.access()))
                | Mismatch.USER.unless(BoundSubject.isNamed(binding, request.user()));
        for (int position = 0; position < role.rules().size(); position++) {
            int ofRule = ofRules[position];
            if (ofRule == RuleMismatches.OTHER_KIND) {
                continue;
            }
            BoundRule bound = new BoundRule(binding, role, position);
            if ((lacks | ofRule) == 0) {
                grants.add(bound);
            } else {
                misses.add(lacks | ofRule, bound);
            }
        }
    }

    private int[] lacking(CompiledRole role) {
        return role.rules().stream().mapToInt(mismatches::of).toArray();
    }

    /** Returns whether a binding applies to a request: a ClusterRoleBinding always, a RoleBinding in its namespace. */
    static boolean applies(RbacBinding binding, AccessAttributes access) {
        String namespace = binding.key().namespace();
        return namespace.isEmpty()
                || (access instanceof ResourceAttributes resource
                        && resource.namespace().equals(namespace));
    }

    /** Adds a grant that is not in an object. */
    void grant(Decision.Allow allow) {
        fixedGrants.add(allow.grant().named());
    }

    /**
     * Returns the explanation of a decision.
     *
     * @param decision the decision by the same objects
     * @param unexplained the unknown parts
     */
    ExplainedDecision explained(Decision decision, List<UnexplainedAuthorizer> unexplained) {
        // Near misses are not reported for an allow, so that the roles of most bindings are not scanned.
        scan(decision instanceof Decision.Allow ? this::grants : binding -> true);
        List<NamedGrant> reported = new ArrayList<>(fixedGrants);
        int room = Explainer.MAX_GRANTS - reported.size();
        grants.stream().limit(room).map(BoundRule::named).forEach(reported::add);
        BoundedList<NamedGrant> bounded = new BoundedList<>(reported, Math.max(0, grants.size() - room));
        if (decision instanceof Decision.Allow) {
            return new ExplainedDecision(decision, new Findings(bounded, BoundedList.none(), null, unexplained));
        }
        return new ExplainedDecision(
                decision,
                new Findings(
                        bounded, misses.named(BoundRule::named), RoleSuggestion.of(indexes, request), unexplained));
    }
}
