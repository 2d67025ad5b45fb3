package io.plat.engine.matrix;

import io.plat.engine.explain.Explainer;
import io.plat.review.MatrixReview;
import io.plat.review.UserInfo;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Unexplained;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Cells from listings of who may do something: one for each column and verb. */
final class ListedCells implements Cells {
    private final Map<SubjectName, BitSet> held = new HashMap<>();
    private final Set<Unexplained> unexplained = new LinkedHashSet<>();

    /**
     * Asks for all listings.
     *
     * @throws NoMatrixException if that takes too long
     */
    ListedCells(MatrixReview asked, Explainer explainer, Deadline deadline) throws NoMatrixException {
        int verbs = asked.verbs().size();
        for (int i = 0; i < asked.columns().size() * verbs; i++) {
            deadline.check();
            SubjectListing listing = explainer.subjects(asked.asking(i / verbs, i % verbs));
            for (ListedSubject subject : listing.subjects().items()) {
                held.computeIfAbsent(subject.who(), who -> new BitSet()).set(i);
            }
            unexplained.addAll(listing.unexplained());
        }
    }

    List<Unexplained> unexplained() {
        return List.copyOf(unexplained);
    }

    @Override
    public Collection<SubjectName> subjects() {
        return new TreeSet<>(held.keySet());
    }

    @Override
    public BitSet row(SubjectName subject) {
        BitSet allowed = new BitSet();
        for (SubjectName held : heldBy(subject)) {
            BitSet own = this.held.get(held);
            if (own != null) {
                allowed.or(own);
            }
        }
        return allowed;
    }

    /** Everybody that a subject is. */
    private static List<SubjectName> heldBy(SubjectName subject) {
        List<SubjectName> all = new ArrayList<>(List.of(SubjectName.EVERYBODY, subject));
        UserInfo user = AskedAs.of(subject);
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
}
