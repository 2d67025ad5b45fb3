package io.plat.engine.rbac.manifest;

import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.source.Problem;
import java.util.List;

/**
 * Content of manifests.
 *
 * @param policy the role objects
 * @param warnings ignored parts, for a log
 */
public record RbacManifests(RbacPolicy policy, List<Problem> warnings) {
    public RbacManifests {
        warnings = List.copyOf(warnings);
    }
}
