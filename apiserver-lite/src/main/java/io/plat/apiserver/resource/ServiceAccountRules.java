package io.plat.apiserver.resource;

/** Service accounts. */
final class ServiceAccountRules implements TypeRules {
    /** The account that every namespace has. */
    static final String DEFAULT = "default";
}
