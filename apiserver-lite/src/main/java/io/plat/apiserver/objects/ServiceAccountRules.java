package io.plat.apiserver.objects;

/** Rules of service accounts. */
public final class ServiceAccountRules implements TypeRules {
    /** Name of the default service account. */
    public static final String DEFAULT = "default";
}
