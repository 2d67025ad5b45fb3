package io.plat.engine.always;

import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.explain.SubjectCollector;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectName;

/** The mode that allows everything. */
public final class AlwaysAllow extends ConstantAuthorizer {
    public static final String MODE = "AlwaysAllow";

    private static final Decision.Allow ALLOW =
            FixedGrant.allow(MODE, "--authorization-mode", "AlwaysAllow: everything is allowed");

    public AlwaysAllow() {
        super(ALLOW, SubjectCollector.only(SubjectName.EVERYBODY, ALLOW.grant().named()), RuleListing.EVERYTHING);
    }
}
