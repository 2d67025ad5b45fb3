package io.plat.engine.explain;

import io.plat.review.explain.SubjectName;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Whom and which namespaces a policy names. What is allowed in some namespace and not in all is allowed in one of these only.
 *
 * @param subjects everybody who is granted something by name
 * @param namespaces the namespaces in which something is granted
 */
public record PolicyNames(SortedSet<SubjectName> subjects, SortedSet<String> namespaces) {
    /** Nobody and nowhere. */
    public static final PolicyNames NONE = new PolicyNames(new TreeSet<>(), new TreeSet<>());

    public PolicyNames {
        subjects = Collections.unmodifiableSortedSet(new TreeSet<>(subjects));
        namespaces = Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
    }

    /** These and others. */
    public PolicyNames and(PolicyNames more) {
        SortedSet<SubjectName> allSubjects = new TreeSet<>(subjects);
        allSubjects.addAll(more.subjects);
        SortedSet<String> allNamespaces = new TreeSet<>(namespaces);
        allNamespaces.addAll(more.namespaces);
        return new PolicyNames(allSubjects, allNamespaces);
    }
}
