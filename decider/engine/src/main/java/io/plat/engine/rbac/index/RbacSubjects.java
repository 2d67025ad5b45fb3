package io.plat.engine.rbac.index;

import io.plat.engine.explain.PolicyNames;
import io.plat.engine.explain.SubjectCollector;
import io.plat.engine.rbac.index.RbacExplanation.BoundRule;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Subjects with access, found by scanning all bindings. */
final class RbacSubjects {
    private RbacSubjects() {}

    /** Adds all subjects with an access, with every rule that allows it. */
    static void addTo(SubjectCollector subjects, List<RoleObjects> indexes, AccessAttributes access) {
        RuleMismatches mismatches = new RuleMismatches(access);
        List<BoundRule> covering = new ArrayList<>();
        for (RoleObjects index : indexes) {
            index.forEachBinding(binding -> binding.appliesTo(access), (binding, role) -> {
                for (int position = 0; position < role.rules().size(); position++) {
                    if (mismatches.of(role.rules().get(position)) == 0) {
                        covering.add(new BoundRule(binding, role, position));
                    }
                }
            });
        }
        covering.sort(BoundRule.ORDER);
        for (BoundRule rule : covering) {
            NamedGrant grant = rule.named();
            BoundSubject.allOf(rule.binding()).forEach(subject -> subjects.add(subject.listed(), grant));
        }
    }

    /** Returns the subjects of all bindings whose role exists, and the namespaces of those bindings. */
    static PolicyNames named(List<RoleObjects> indexes) {
        SortedSet<SubjectName> subjects = new TreeSet<>();
        SortedSet<String> namespaces = new TreeSet<>();
        indexes.forEach(index -> index.forEachBinding(binding -> true, (binding, role) -> {
            BoundSubject.allOf(binding).forEach(subject -> subjects.add(subject.listed()));
            if (!binding.key().namespace().isEmpty()) {
                namespaces.add(binding.key().namespace());
            }
        }));
        return new PolicyNames(subjects, namespaces);
    }

    /** Returns the subjects with any of some accesses; each role is evaluated once per namespace. */
    static SortedSet<SubjectName> holders(List<RoleObjects> indexes, Collection<? extends AccessAttributes> any) {
        Map<String, Requested> byNamespace = new HashMap<>();
        for (AccessAttributes access : any) {
            RuleMismatches mismatches = new RuleMismatches(access);
            byNamespace.computeIfAbsent("", one -> new Requested()).mismatches.add(mismatches);
            if (access instanceof ResourceAttributes resource
                    && !resource.namespace().isEmpty()) {
                byNamespace
                        .computeIfAbsent(resource.namespace(), one -> new Requested())
                        .mismatches
                        .add(mismatches);
            }
        }
        SortedSet<SubjectName> holders = new TreeSet<>();
        for (RoleObjects index : indexes) {
            index.forEachBinding(
                    binding -> byNamespace.containsKey(binding.key().namespace()), (binding, role) -> {
                        Requested requested = byNamespace.get(binding.key().namespace());
                        if (requested != null && requested.isGrantedBy(role)) {
                            BoundSubject.allOf(binding).forEach(subject -> holders.add(subject.listed()));
                        }
                    });
        }
        return holders;
    }

    /** The requested accesses to which bindings of one namespace, or cluster bindings, apply. */
    private static final class Requested {
        private final List<RuleMismatches> mismatches = new ArrayList<>();
        private final IdentityHashMap<CompiledRole, Boolean> known = new IdentityHashMap<>();

        boolean isGrantedBy(CompiledRole role) {
            return known.computeIfAbsent(
                    role,
                    one -> one.rules().stream()
                            .anyMatch(rule -> mismatches.stream().anyMatch(mismatch -> mismatch.of(rule) == 0)));
        }
    }
}
