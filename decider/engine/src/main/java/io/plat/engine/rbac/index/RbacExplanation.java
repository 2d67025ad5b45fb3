package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.ScannedGrants;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.Attributes;
import io.plat.review.explain.Mismatch;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.source.Location;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explanation of one request by role objects, found by scanning every binding, and every rule if none allows it. For a single use. */
final class RbacExplanation {
    private final Attributes request;
    private final List<RoleObjects> indexes;
    private final RuleMismatches mismatches;
    private final IdentityHashMap<CompiledRole, int[]> lacking = new IdentityHashMap<>();
    private final ScannedGrants<BoundRule> scanned = new ScannedGrants<>(BoundRule.ORDER, BoundRule::named);

    /**
     * A rule granted by a binding.
     *
     * @param role the role with the rule
     * @param position the position of the rule within the role, including aggregated rules
     */
    record BoundRule(RbacBinding binding, CompiledRole role, int position) {
        /** Order by the names of the bindings, then by the position of the rules. */
        static final Comparator<BoundRule> ORDER = Comparator.<BoundRule, ObjectKey>comparing(
                        bound -> bound.binding().key())
                .thenComparing(BoundRule::position);

        /** Returns the grant: the binding, the role, and their sources. */
        NamedGrant named() {
            RbacRule rule = role.rules().get(position).rule;
            RbacRole granted = role.role();
            Location location = rule.where() == null && granted != null ? granted.where() : rule.where();
            return new NamedGrant(
                    RbacGrant.MODE,
                    withLocation(binding.key(), binding.where()) + " -> " + withLocation(role.key(), location),
                    rule.toString());
        }

        private static String withLocation(ObjectKey key, @Nullable Location where) {
            return where == null ? key.toString() : key + " (" + where + ")";
        }
    }

    /** Creates an explanation from several indexes, whose bindings only refer to roles of the same index. */
    RbacExplanation(List<RoleObjects> indexes, Attributes request) {
        this.indexes = indexes;
        this.request = request;
        this.mismatches = new RuleMismatches(request.access());
    }

    /**
     * Returns the explanation of a decision.
     *
     * @param decision the decision by the same objects
     * @param fixed grants that are not in an object
     * @param unexplained the unknown parts
     */
    ExplainedDecision of(Decision decision, List<NamedGrant> fixed, List<UnexplainedAuthorizer> unexplained) {
        // Near misses are not reported for an allow, so that the roles of most bindings are not scanned.
        boolean onlyGrants = decision instanceof Decision.Allow;
        indexes.forEach(index -> index.forEachBinding(
                binding -> !onlyGrants
                        || (binding.appliesTo(request.access()) && BoundSubject.isNamed(binding, request.user())),
                this::add));
        return scanned.explained(decision, fixed, () -> RoleSuggestion.of(indexes, request), unexplained);
    }

    private void add(RbacBinding binding, CompiledRole role) {
        // Many bindings may refer to one role, whose mismatches are the same for all of them.
        int[] ofRules = lacking.computeIfAbsent(
                role, one -> one.rules().stream().mapToInt(mismatches::of).toArray());
        int lacks = Mismatch.NAMESPACE.unless(binding.appliesTo(request.access()))
                | Mismatch.USER.unless(BoundSubject.isNamed(binding, request.user()));
        for (int position = 0; position < ofRules.length; position++) {
            if (ofRules[position] != RuleMismatches.OTHER_KIND) {
                scanned.add(lacks | ofRules[position], new BoundRule(binding, role, position));
            }
        }
    }
}
