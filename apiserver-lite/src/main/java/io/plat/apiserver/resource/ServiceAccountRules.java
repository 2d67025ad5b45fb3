package io.plat.apiserver.resource;

/** Service accounts. */
final class ServiceAccountRules implements TypeRules {
    /** The account that every namespace has. */
    static final String DEFAULT = "default";

    @Override
    public NameRule names() {
        return NameRule.SUBDOMAIN;
    }

    @Override
    public boolean updatesUnconditionally() {
        return false;
    }

    @Override
    public boolean deletionShowsObject() {
        return true;
    }
}
