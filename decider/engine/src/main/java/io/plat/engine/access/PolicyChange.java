package io.plat.engine.access;

import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Change of access when one policy replaces another. A subject is granted the access that a user who is only that subject gains; access granted
 * to everybody is not repeated for each subject. Nothing is granted if and only if no request is newly allowed. With role objects, members of
 * {@code system:masters} are always allowed and are left out.
 *
 * @param granted by subject, none of them empty
 * @param revoked by subject, none of them empty
 */
public record PolicyChange(SortedMap<SubjectName, AccessSet> granted, SortedMap<SubjectName, AccessSet> revoked) {
    public PolicyChange {
        granted = Collections.unmodifiableSortedMap(granted);
        revoked = Collections.unmodifiableSortedMap(revoked);
    }

    /**
     * Returns the change from one policy to another.
     *
     * @throws TooComplexException if the policies overlap in too many ways
     */
    public static PolicyChange between(PolicyAccess before, PolicyAccess after) {
        return between(before, after, before.byRoles() || after.byRoles());
    }

    /**
     * Returns the change of the written policy, treating members of {@code system:masters} like other subjects.
     *
     * @throws TooComplexException if the policies overlap in too many ways
     */
    public static PolicyChange asWritten(PolicyAccess before, PolicyAccess after) {
        return between(before, after, false);
    }

    private static PolicyChange between(PolicyAccess before, PolicyAccess after, boolean mastersPass) {
        return new PolicyChange(gained(before, after, mastersPass), gained(after, before, mastersPass));
    }

    /** Returns whether no access changes. */
    public boolean isEmpty() {
        return granted.isEmpty() && revoked.isEmpty();
    }

    private static SortedMap<SubjectName, AccessSet> gained(
            PolicyAccess before, PolicyAccess after, boolean mastersPass) {
        ComplexityLimit effort = new ComplexityLimit();
        SortedMap<SubjectName, AccessSet> gained = new TreeMap<>();
        for (SubjectName subject : after.subjects()) {
            if (mastersPass && PolicyAccess.isMaster(subject)) {
                continue;
            }
            AccessSet more = after.of(subject);
            for (AccessSet known : known(subject, before, after)) {
                more = more.minus(known, effort);
            }
            if (!more.isEmpty()) {
                gained.put(subject, more);
            }
        }
        return gained;
    }

    /** Returns the previous access of the subject, and the new access of the subjects that it implies. */
    private static List<AccessSet> known(SubjectName subject, PolicyAccess before, PolicyAccess after) {
        List<AccessSet> known = new ArrayList<>(List.of(before.of(subject)));
        for (SubjectName implied : PolicyAccess.impliedBy(subject)) {
            known.add(before.of(implied));
            known.add(after.of(implied));
        }
        return known;
    }
}
