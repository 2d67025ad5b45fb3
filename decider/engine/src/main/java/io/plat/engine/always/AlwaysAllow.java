package io.plat.engine.always;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.review.Attributes;

/** The mode that allows everything. */
public final class AlwaysAllow implements Authorizer {
    /** The name of this mode. */
    public static final String MODE = "AlwaysAllow";

    private static final Decision.Allow ALLOW =
            FixedGrant.allow(MODE, "--authorization-mode", "AlwaysAllow: everything is allowed");

    @Override
    public Decision authorize(Attributes attributes) {
        return ALLOW;
    }

    @Override
    public boolean decidesFromMemory() {
        return true;
    }
}
