package io.plat.engine.abac;

import io.plat.review.AccessAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.Mismatch;

/**
 * Attributes of a request that a line does not match: the reference semantics of a line, which the index implements too (specification, "ABAC policy
 * object").
 */
final class LineMismatches {
    /** The line covers resources and the request is for a path, or vice versa: not a near miss. */
    static final int OTHER_KIND = -1;

    private final AccessAttributes access;
    private final boolean reads;
    private final String apiGroup;

    LineMismatches(AccessAttributes access) {
        this.access = access;
        this.reads = AbacLine.reads(access.verb());
        this.apiGroup = access instanceof ResourceAttributes resource ? ApiGroups.canonical(resource.group()) : "";
    }

    AccessAttributes access() {
        return access;
    }

    /** Returns whether a line with {@code readonly} covers the verb. */
    boolean reads() {
        return reads;
    }

    /** Returns the canonical name of the API group, {@code ""} for a path. */
    String apiGroup() {
        return apiGroup;
    }

    /** Returns the bits of the attributes that a line does not match, or {@link #OTHER_KIND}. */
    int ofAccess(AbacLine line) {
        int verb = Mismatch.VERB.unless(reads || !line.readonly());
        return switch (access) {
            case ResourceAttributes resource ->
                line.resource().isEmpty()
                        ? OTHER_KIND
                        : verb
                                | Mismatch.API_GROUP.unless(is(ApiGroups.canonical(line.apiGroup()), apiGroup))
                                | Mismatch.RESOURCE.unless(is(line.resource(), resource.resource()))
                                | Mismatch.NAMESPACE.unless(is(line.namespace(), resource.namespace()));
            case NonResourceAttributes path ->
                line.nonResourcePath().isEmpty()
                        ? OTHER_KIND
                        : verb | Mismatch.PATH.unless(path.isMatchedBy(line.nonResourcePath()));
        };
    }

    /** Returns the bits of a user's attributes that a line does not match. A line without a subject matches no user. */
    static int ofUser(AbacLine line, UserInfo user) {
        boolean named = line.user().isEmpty() ? !line.group().isEmpty() : is(line.user(), user.name());
        boolean inGroup = line.group().isEmpty()
                || line.group().equals(AbacLine.ANY)
                || user.groups().contains(line.group());
        return Mismatch.USER.unless(named) | Mismatch.GROUP.unless(inGroup);
    }

    private static boolean is(String written, String requested) {
        return written.equals(AbacLine.ANY) || written.equals(requested);
    }
}
