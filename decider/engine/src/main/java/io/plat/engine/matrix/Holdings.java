package io.plat.engine.matrix;

import io.plat.review.UserInfo;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Unexplained;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What each subject may do, gathered from listings of who may do one thing. Not safe for concurrent use. */
public final class Holdings {
    private final Map<SubjectName, BitSet> held = new HashMap<>();
    private final Set<Unexplained> unexplained = new LinkedHashSet<>();

    /**
     * Adds everybody who may do one thing.
     *
     * @param bit what stands for it
     */
    public void add(int bit, SubjectListing listing) {
        for (ListedSubject subject : listing.subjects().items()) {
            held.computeIfAbsent(subject.who(), who -> new BitSet()).set(bit);
        }
        unexplained.addAll(listing.unexplained());
    }

    /** Everybody who was listed. */
    public SortedSet<SubjectName> subjects() {
        return new TreeSet<>(held.keySet());
    }

    /** Everything that a subject may do, by itself or as one of those whom it is surely one of. */
    public BitSet of(SubjectName subject) {
        return of(subject, AskedAs.of(subject));
    }

    /** Everything that a subject may do who is asked about as a user with some groups. */
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

    /** Everybody that a subject is. */
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

    /** Who could not say whom it allows. */
    public List<Unexplained> unexplained() {
        return List.copyOf(unexplained);
    }
}
