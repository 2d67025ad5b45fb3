package io.plat.engine.always;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.explain.Explained;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.NamedGrants;
import io.plat.engine.explain.Subjects;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;

/** The mode that allows everything. */
public final class AlwaysAllow implements Authorizer, Explainer {
    /** The name of this mode. */
    public static final String MODE = "AlwaysAllow";

    private static final Decision.Allow ALLOW =
            FixedGrant.allow(MODE, "--authorization-mode", "AlwaysAllow: everything is allowed");

    @Override
    public Decision authorize(Attributes attributes) {
        return ALLOW;
    }

    @Override
    public Decision decideFromMemory(Attributes attributes) {
        return authorize(attributes);
    }

    @Override
    public Explained explain(Attributes attributes) {
        return Explained.of(ALLOW);
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        return Subjects.only(SubjectName.EVERYBODY, NamedGrants.of(ALLOW.grant()));
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        return RuleListing.EVERYTHING;
    }
}
