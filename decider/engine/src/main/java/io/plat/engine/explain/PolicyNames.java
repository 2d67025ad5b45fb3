package io.plat.engine.explain;

import io.plat.review.explain.SubjectName;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Subjects and namespaces that a policy names. Access in some but not all namespaces is limited to these namespaces.
 *
 * @param subjects subjects with a grant by name
 * @param namespaces the namespaces of grants
 * @param complete whether these are all; false if another server has a policy with other names
 */
public record PolicyNames(SortedSet<SubjectName> subjects, SortedSet<String> namespaces, boolean complete) {
    /** No subjects and no namespaces. */
    public static final PolicyNames NONE = new PolicyNames(new TreeSet<>(), new TreeSet<>());

    /** The unknown names of another server's policy. */
    public static final PolicyNames UNKNOWN = new PolicyNames(new TreeSet<>(), new TreeSet<>(), false);

    /** Creates all names of a policy. */
    public PolicyNames(SortedSet<SubjectName> subjects, SortedSet<String> namespaces) {
        this(subjects, namespaces, true);
    }

    public PolicyNames {
        subjects = Collections.unmodifiableSortedSet(new TreeSet<>(subjects));
        namespaces = Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
    }

    /** Returns the union of both. */
    public PolicyNames and(PolicyNames more) {
        SortedSet<SubjectName> allSubjects = new TreeSet<>(subjects);
        allSubjects.addAll(more.subjects);
        SortedSet<String> allNamespaces = new TreeSet<>(namespaces);
        allNamespaces.addAll(more.namespaces);
        return new PolicyNames(allSubjects, allNamespaces, complete && more.complete);
    }
}
