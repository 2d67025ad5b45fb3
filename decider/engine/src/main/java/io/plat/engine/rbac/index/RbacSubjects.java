package io.plat.engine.rbac.index;

import io.plat.engine.explain.Subjects;
import io.plat.engine.rbac.RbacBinding;
import io.plat.review.AccessAttributes;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.List;

/** Whom role objects allow something: looks at every binding. Used once. */
final class RbacSubjects {
    private final RuleGaps gaps;
    private final AccessAttributes access;
    private final Subjects subjects;
    private final List<BoundRule> covering = new ArrayList<>();

    private RbacSubjects(AccessAttributes access, Subjects subjects) {
        this.access = access;
        this.gaps = new RuleGaps(access);
        this.subjects = subjects;
    }

    static void addTo(Subjects subjects, List<RbacIndex> indexes, AccessAttributes access) {
        RbacSubjects found = new RbacSubjects(access, subjects);
        indexes.forEach(index -> index.forEachBinding(found::look));
        found.covering.sort(BoundRule.ORDER);
        found.covering.forEach(found::add);
    }

    private void look(RbacBinding binding, CompiledRole role) {
        if (!RbacExplanation.holds(binding, access)) {
            return;
        }
        for (int position = 0; position < role.rules().size(); position++) {
            if (gaps.of(role.rules().get(position)) == 0) {
                covering.add(new BoundRule(binding, role, position));
            }
        }
    }

    private void add(BoundRule rule) {
        NamedGrant grant = rule.named();
        for (BoundSubject subject : BoundSubject.allOf(rule.binding())) {
            subjects.add(
                    subject.isGroup() ? SubjectName.group(subject.name()) : SubjectName.user(subject.name()), grant);
        }
    }
}
