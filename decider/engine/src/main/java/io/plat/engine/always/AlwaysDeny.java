package io.plat.engine.always;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explained;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;

/** The mode that refuses everything. In a union it has no veto: another member may still allow. */
public final class AlwaysDeny implements Authorizer, Explainer {
    /** The name of this mode. */
    public static final String MODE = "AlwaysDeny";

    private static final Decision.Deny DENY = new Decision.Deny("Everything is forbidden.");

    @Override
    public Decision authorize(Attributes attributes) {
        return DENY;
    }

    @Override
    public Decision decideFromMemory(Attributes attributes) {
        return authorize(attributes);
    }

    @Override
    public Explained explain(Attributes attributes) {
        return Explained.of(DENY);
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        return SubjectListing.NOBODY;
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        return RuleListing.NOTHING;
    }
}
