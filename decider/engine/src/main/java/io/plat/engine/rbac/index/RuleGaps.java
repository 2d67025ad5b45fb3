package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.Mismatch;

/** Attributes of an access that a rule does not match (specification, "Role-based objects"). */
final class RuleGaps {
    /** The rule is about resources and the request about a path, or the other way round: it is not near at all. */
    static final int OTHER_KIND = -1;

    private final CompiledRequest request;
    /** Without its subresource. */
    private final String resource;

    RuleGaps(AccessAttributes access) {
        this.request = new CompiledRequest(access);
        this.resource = access instanceof ResourceAttributes attributes ? attributes.resource() : "";
    }

    /** Returns the bits of the attributes that a rule does not match, or {@link #OTHER_KIND}. */
    int of(CompiledRule compiled) {
        RbacRule rule = compiled.rule;
        if (request.onPath ? rule.nonResourceUrls().isEmpty() : rule.resources().isEmpty()) {
            return OTHER_KIND;
        }
        int verb = Mismatch.VERB.unless(compiled.coversVerb(request));
        return request.onPath
                ? verb | Mismatch.PATH.unless(compiled.coversPath(request.path))
                : verb
                        | Mismatch.API_GROUP.unless(compiled.coversGroup(request))
                        | (compiled.coversResource(request) ? 0 : missedResource(rule))
                        | Mismatch.NAME.unless(compiled.coversName(request.name));
    }

    /** The resource itself may be named, only with another subresource. */
    private int missedResource(RbacRule rule) {
        for (String written : rule.resources()) {
            int slash = written.indexOf('/');
            String base = slash < 0 ? written : written.substring(0, slash);
            if (base.equals(resource) || base.equals(RbacRule.ALL)) {
                return Mismatch.SUBRESOURCE.bit();
            }
        }
        return Mismatch.RESOURCE.bit();
    }
}
