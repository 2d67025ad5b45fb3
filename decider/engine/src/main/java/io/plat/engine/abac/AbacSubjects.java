package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.engine.explain.NamedGrants;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.explain.SubjectCollector;
import io.plat.review.AccessAttributes;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Subjects that a policy file grants access, found by scanning every line. */
final class AbacSubjects {
    private AbacSubjects() {}

    static SubjectListing of(PolicyLines policy, AccessAttributes access) {
        SubjectCollector subjects = new SubjectCollector();
        LineMismatches gaps = new LineMismatches(access);
        for (Decision.Allow allow : policy.allows()) {
            AbacLine line = AbacExplanation.lineOf(allow);
            SubjectName subject = line.subject();
            if (subject != null && gaps.ofAccess(line) == 0) {
                subjects.add(subject, NamedGrants.of(allow.grant()));
            }
        }
        return subjects.listing();
    }

    /** Returns all subjects that a line names, and all namespaces. */
    static PolicyNames named(PolicyLines policy) {
        SortedSet<SubjectName> subjects = new TreeSet<>();
        SortedSet<String> namespaces = new TreeSet<>();
        for (Decision.Allow allow : policy.allows()) {
            AbacLine line = AbacExplanation.lineOf(allow);
            SubjectName subject = line.subject();
            if (subject != null) {
                subjects.add(subject);
                namespaces.add(line.namespace());
            }
        }
        namespaces.removeAll(List.of("", AbacLine.ANY));
        return new PolicyNames(subjects, namespaces);
    }

    /** Returns the subjects of the lines that match any of the given accesses. */
    static SortedSet<SubjectName> holders(PolicyLines policy, Collection<? extends AccessAttributes> any) {
        List<LineMismatches> gaps = any.stream().map(LineMismatches::new).toList();
        SortedSet<SubjectName> holders = new TreeSet<>();
        for (Decision.Allow allow : policy.allows()) {
            AbacLine line = AbacExplanation.lineOf(allow);
            SubjectName subject = line.subject();
            if (subject != null && gaps.stream().anyMatch(one -> one.ofAccess(line) == 0)) {
                holders.add(subject);
            }
        }
        return holders;
    }
}
