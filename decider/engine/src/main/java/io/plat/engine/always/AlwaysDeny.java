package io.plat.engine.always;

import io.plat.engine.Decision;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;

/** The mode that refuses everything. In a union it has no veto: another member may still allow. */
public final class AlwaysDeny extends ConstantAuthorizer {
    public static final String MODE = "AlwaysDeny";

    public AlwaysDeny() {
        super(new Decision.Deny("Everything is forbidden."), SubjectListing.NOBODY, RuleListing.NOTHING);
    }
}
