package io.plat.engine.explain;

import io.plat.engine.Decision;
import io.plat.engine.Grant;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.NamedGrant;
import java.util.List;

/** Conversion of grants to {@link NamedGrant}. */
public final class NamedGrants {
    private NamedGrants() {}

    /** Returns the texts of a grant. */
    public static NamedGrant of(Grant grant) {
        return new NamedGrant(grant.authorizer(), grant.source(), grant.rule());
    }

    /** Returns the grant of an allow; none for any other decision. */
    public static BoundedList<NamedGrant> of(Decision decision) {
        return decision instanceof Decision.Allow(Grant grant)
                ? new BoundedList<>(List.of(of(grant)), 0)
                : BoundedList.none();
    }
}
