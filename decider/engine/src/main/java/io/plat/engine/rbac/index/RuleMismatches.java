package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.Mismatch;

/** Attributes of an access that a rule does not match (specification, "Role-based objects"). */
final class RuleMismatches {
    /** The rule covers resources and the request is for a path, or vice versa: not a near miss. */
    static final int OTHER_KIND = -1;

    private final CompiledRequest request;
    /** The resource without its subresource. */
    private final String resource;

    RuleMismatches(AccessAttributes access) {
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

    /** Returns the mismatch of the resource, which may be of the subresource only. */
    private int missedResource(RbacRule rule) {
        for (String written : rule.resources()) {
            String base = ResourceAttributes.resourceOf(written);
            if (base.equals(resource) || base.equals(RbacRule.ALL)) {
                return Mismatch.SUBRESOURCE.bit();
            }
        }
        return Mismatch.RESOURCE.bit();
    }
}
