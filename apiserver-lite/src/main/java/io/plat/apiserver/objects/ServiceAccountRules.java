package io.plat.apiserver.objects;

/** Service accounts. */
public final class ServiceAccountRules implements TypeRules {
    /** The account that every namespace has. */
    public static final String DEFAULT = "default";
}
