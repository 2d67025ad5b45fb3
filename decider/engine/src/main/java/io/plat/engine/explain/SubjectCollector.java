package io.plat.engine.explain;

import io.plat.review.explain.BoundedList;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Collector of subjects and their grants, each subject once. Not thread-safe. */
public final class SubjectCollector {
    private final TreeMap<SubjectName, SubjectGrants> subjects = new TreeMap<>();
    private final List<UnexplainedAuthorizer> unexplained = new ArrayList<>();
    private long leftOut;

    private static final class SubjectGrants {
        private final List<NamedGrant> grants = new ArrayList<>(1);
        private long leftOut;

        void add(NamedGrant grant) {
            if (grants.size() < Explainer.MAX_GRANTS) {
                grants.add(grant);
            } else {
                leftOut++;
            }
        }
    }

    public static SubjectListing only(SubjectName subject, NamedGrant grant) {
        SubjectCollector subjects = new SubjectCollector();
        subjects.add(subject, grant);
        return subjects.listing();
    }

    public void add(SubjectName subject, NamedGrant grant) {
        through(subject).add(grant);
    }

    private SubjectGrants through(SubjectName subject) {
        return subjects.computeIfAbsent(subject, name -> new SubjectGrants());
    }

    /** Adds the subjects of another listing. */
    public void addAll(SubjectListing listing) {
        for (ListedSubject subject : listing.subjects().items()) {
            SubjectGrants through = through(subject.subject());
            subject.through().items().forEach(through::add);
            through.leftOut += subject.through().leftOut();
        }
        leftOut += listing.subjects().leftOut();
        addUnexplained(listing.unexplained());
    }

    /** Adds members that cannot enumerate their subjects. */
    public void addUnexplained(List<UnexplainedAuthorizer> members) {
        unexplained.addAll(members);
    }

    /** Returns the listing, sorted by name. */
    public SubjectListing listing() {
        List<ListedSubject> listed = new ArrayList<>(Math.min(subjects.size(), Explainer.MAX_SUBJECTS));
        subjects.forEach((subject, through) -> {
            if (listed.size() < Explainer.MAX_SUBJECTS) {
                listed.add(new ListedSubject(subject, new BoundedList<>(through.grants, through.leftOut)));
            }
        });
        return new SubjectListing(new BoundedList<>(listed, leftOut + subjects.size() - listed.size()), unexplained);
    }
}
