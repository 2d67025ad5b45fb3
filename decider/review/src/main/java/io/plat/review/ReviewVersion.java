package io.plat.review;

import java.util.Optional;

/** Versions of the review API. They have the same content under different names (contract, "Two vocabularies"). */
public enum ReviewVersion {
    /** The specification's own version. */
    PLAT_V1BETA1(ApiGroups.AUTHORIZATION_PLAT, "v1beta1", "group"),
    /** The current version of Kubernetes. */
    K8S_V1(ApiGroups.AUTHORIZATION, "v1", "groups"),
    /** The previous version of Kubernetes. */
    K8S_V1BETA1(ApiGroups.AUTHORIZATION, "v1beta1", "group");

    private final String group;
    private final String apiVersion;
    private final String groupsField;

    ReviewVersion(String group, String version, String groupsField) {
        this.group = group;
        this.apiVersion = group + "/" + version;
        this.groupsField = groupsField;
    }

    /** Returns the API group, for example {@code authorization.k8s.io}. */
    public String group() {
        return group;
    }

    /** Returns group and version as in the field {@code apiVersion}. */
    public String apiVersion() {
        return apiVersion;
    }

    /** Returns the name of the spec's field for groups; the other version's name is an unknown field. */
    public String groupsField() {
        return groupsField;
    }

    /** Returns the version that a field {@code apiVersion} names; empty for any other value. */
    public static Optional<ReviewVersion> of(String apiVersion) {
        for (ReviewVersion candidate : values()) {
            if (candidate.apiVersion.equals(apiVersion)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
