package io.plat.engine.matrix;

import io.plat.review.UserInfo;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Accesses of each subject, collected from listings of the subjects of each access. Not thread-safe. */
public final class SubjectAccess {
    private final Map<SubjectName, BitSet> held = new HashMap<>();
    private final Set<UnexplainedAuthorizer> unexplained = new LinkedHashSet<>();

    /**
     * Adds the subjects of one access.
     *
     * @param bit the number of the access
     */
    public void add(int bit, SubjectListing listing) {
        for (ListedSubject subject : listing.subjects().items()) {
            held.computeIfAbsent(subject.subject(), _ -> new BitSet()).set(bit);
        }
        unexplained.addAll(listing.unexplained());
    }

    /** Returns all listed subjects. */
    public SortedSet<SubjectName> subjects() {
        return new TreeSet<>(held.keySet());
    }

    /** Returns the accesses of a subject, including those of the subjects that it implies. */
    public BitSet of(SubjectName subject) {
        return of(subject, SubjectUsers.of(subject));
    }

    /** Returns the accesses of a subject that is requested as a user with some groups. */
    public BitSet of(SubjectName subject, UserInfo user) {
        BitSet allowed = new BitSet();
        for (SubjectName one : allOf(subject, user)) {
            BitSet own = held.get(one);
            if (own != null) {
                allowed.or(own);
            }
        }
        return allowed;
    }

    /** Returns all subjects that a subject implies. */
    private static List<SubjectName> allOf(SubjectName subject, UserInfo user) {
        List<SubjectName> all = new ArrayList<>(List.of(SubjectName.EVERYBODY, subject));
        if (!user.name().isEmpty()) {
            all.add(SubjectName.user(user.name()));
        }
        for (String group : user.groups()) {
            all.add(SubjectName.group(group));
            if (!user.name().isEmpty()) {
                all.add(SubjectName.user(user.name(), group));
            }
        }
        return all;
    }

    /** Returns the authorizers that cannot enumerate their subjects. */
    public List<UnexplainedAuthorizer> unexplained() {
        return List.copyOf(unexplained);
    }
}
