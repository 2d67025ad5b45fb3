package io.plat.engine.rbac.manifest;

import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.source.Problem;
import java.util.List;

/**
 * What manifests say.
 *
 * @param policy the role objects
 * @param warnings what was left out, for a log
 */
public record RbacManifests(RbacPolicy policy, List<Problem> warnings) {
    public RbacManifests {
        warnings = List.copyOf(warnings);
    }
}
