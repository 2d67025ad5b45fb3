package io.plat.engine.rbac.manifest;

import io.plat.review.ApiGroups;
import java.util.Optional;

/** The versions in which role objects are written. */
enum RbacVersion {
    /** The specification's, with subjects and references in two forms. */
    PLAT_V1ALPHA1(ApiGroups.RBAC_PLAT + "/v1alpha1", true),
    /** What existing servers speak. */
    K8S_V1(ApiGroups.RBAC + "/v1", false);

    private final String apiVersion;
    private final boolean earlierForm;

    RbacVersion(String apiVersion, boolean earlierForm) {
        this.apiVersion = apiVersion;
        this.earlierForm = earlierForm;
    }

    /** Whether subjects and references may carry {@code apiVersion}, and a reference a namespace. */
    boolean earlierForm() {
        return earlierForm;
    }

    static Optional<RbacVersion> of(String apiVersion) {
        for (RbacVersion candidate : values()) {
            if (candidate.apiVersion.equals(apiVersion)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** All of them, for a message. */
    static String all() {
        return "\"" + K8S_V1.apiVersion + "\" or \"" + PLAT_V1ALPHA1.apiVersion + "\"";
    }
}
