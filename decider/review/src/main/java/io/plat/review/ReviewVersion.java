package io.plat.review;

import java.util.Optional;

/** The versions in which a review is written. All have the same content and differ in names (contract, "Two vocabularies"). */
public enum ReviewVersion {
    /** The specification's own version. */
    PLAT_V1BETA1(ApiGroups.AUTHORIZATION_PLAT, "v1beta1", "group"),
    /** The current version of Kubernetes. */
    K8S_V1(ApiGroups.AUTHORIZATION, "v1", "groups"),
    /** The previous version of Kubernetes. */
    K8S_V1BETA1(ApiGroups.AUTHORIZATION, "v1beta1", "group");

    private final String group;
    private final String version;
    private final String apiVersion;
    private final String groupsField;

    ReviewVersion(String group, String version, String groupsField) {
        this.group = group;
        this.version = version;
        this.apiVersion = group + "/" + version;
        this.groupsField = groupsField;
    }

    /** Returns the API group, for example {@code authorization.k8s.io}. */
    public String group() {
        return group;
    }

    /** Returns the version within the group, for example {@code v1}. */
    public String version() {
        return version;
    }

    /** Returns group and version as in the field {@code apiVersion}. */
    public String apiVersion() {
        return apiVersion;
    }

    /** Returns the name of the spec's field for groups; the other version's name is an unknown field. */
    public String groupsField() {
        return groupsField;
    }

    /** Returns the version with the name of a field {@code apiVersion}, if it is one of these. */
    public static Optional<ReviewVersion> of(String apiVersion) {
        for (ReviewVersion candidate : values()) {
            if (candidate.apiVersion.equals(apiVersion)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
