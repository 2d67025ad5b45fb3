package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import java.util.Objects;

/**
 * Lets members of {@code system:masters} pass before any mode is asked, as a server does that has to stay reachable when its remote
 * decider is away (specification, "RBAC mode", 7). Not to be used where the only mode refuses everything.
 */
public final class MastersFirst implements Authorizer {
    private static final Decision.Allow MASTERS = FixedGrant.allow(
            UserInfo.MASTERS, "group " + UserInfo.MASTERS, "allowed by membership in \"" + UserInfo.MASTERS + "\"");

    private final Authorizer modes;

    /** Asks the modes about everybody else. */
    public MastersFirst(Authorizer modes) {
        this.modes = Objects.requireNonNull(modes);
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return attributes.user().groups().contains(UserInfo.MASTERS) ? MASTERS : modes.authorize(attributes);
    }

    @Override
    public boolean decidesFromMemory() {
        return modes.decidesFromMemory();
    }
}
