package io.plat.engine.rbac.index;

import io.plat.engine.explain.PolicyNames;
import io.plat.engine.explain.Subjects;
import io.plat.engine.rbac.RbacBinding;
import io.plat.review.AccessAttributes;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Whom role objects allow something: looks at every binding. Used once. */
final class RbacSubjects {
    private final RuleGaps gaps;
    private final Subjects subjects;
    private final List<BoundRule> covering = new ArrayList<>();

    private RbacSubjects(AccessAttributes access, Subjects subjects) {
        this.gaps = new RuleGaps(access);
        this.subjects = subjects;
    }

    static void addTo(Subjects subjects, List<RoleObjects> indexes, AccessAttributes access) {
        RbacSubjects found = new RbacSubjects(access, subjects);
        indexes.forEach(index -> index.forEachBinding(binding -> RbacExplanation.holds(binding, access), found::look));
        found.covering.sort(BoundRule.ORDER);
        found.covering.forEach(found::add);
    }

    /** Everybody to whom a binding gives a role that exists, and every namespace that has such a binding. */
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

    private void look(RbacBinding binding, CompiledRole role) {
        for (int position = 0; position < role.rules().size(); position++) {
            if (gaps.of(role.rules().get(position)) == 0) {
                covering.add(new BoundRule(binding, role, position));
            }
        }
    }

    private void add(BoundRule rule) {
        NamedGrant grant = rule.named();
        for (BoundSubject subject : BoundSubject.allOf(rule.binding())) {
            subjects.add(subject.listed(), grant);
        }
    }
}
