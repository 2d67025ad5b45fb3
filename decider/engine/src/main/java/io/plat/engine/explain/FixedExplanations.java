package io.plat.engine.explain;

import io.plat.engine.Decision;
import io.plat.review.explain.Findings;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;

/** Explanations of what stands in no policy. */
public final class FixedExplanations {
    private FixedExplanations() {}

    /** A decision that goes by its own grant, or by nothing. */
    public static Explained of(Decision decision) {
        return new Explained(decision, Findings.of(NamedGrants.of(decision)));
    }

    /** One subject that one grant allows everything. */
    public static SubjectListing only(SubjectName who, Decision.Allow allow) {
        Subjects subjects = new Subjects();
        subjects.add(who, NamedGrants.of(allow.grant()));
        return subjects.listing();
    }
}
