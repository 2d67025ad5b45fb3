package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.Lack;
import org.jspecify.annotations.Nullable;

/** What a rule does not match of an access, attribute by attribute (specification, "Role-based objects"). */
final class RuleGaps {
    /** The rule is about resources and the request about a path, or the other way round: it is not near at all. */
    static final int OTHER_KIND = -1;

    private final AccessAttributes access;
    private final long verbBit;
    private final @Nullable Question question;

    RuleGaps(AccessAttributes access) {
        this.access = access;
        this.verbBit = Verbs.bit(access.verb());
        this.question = access instanceof ResourceAttributes resource ? new Question(resource) : null;
    }

    /** The bits of what a rule does not match, or {@link #OTHER_KIND}. */
    int of(CompiledRule rule) {
        return switch (access) {
            case ResourceAttributes resource -> onResource(rule, resource);
            case NonResourceAttributes path -> onPath(rule, path);
        };
    }

    private int onResource(CompiledRule rule, ResourceAttributes resource) {
        if (rule.rule.resources().isEmpty() || question == null) {
            return OTHER_KIND;
        }
        boolean named = rule.names().isEmpty()
                || (!resource.name().isEmpty() && rule.names().contains(resource.name()));
        int missed = rule.coversResource(question) ? 0 : missedResource(rule, resource);
        return verb(rule) | Lack.API_GROUP.unless(rule.coversGroup(question.group)) | missed | Lack.NAME.unless(named);
    }

    /** The resource itself may be named, only with another subresource. */
    private static int missedResource(CompiledRule rule, ResourceAttributes resource) {
        for (String written : rule.rule.resources()) {
            int slash = written.indexOf('/');
            String base = slash < 0 ? written : written.substring(0, slash);
            if (base.equals(resource.resource()) || base.equals(RbacRule.ALL)) {
                return Lack.SUBRESOURCE.bit();
            }
        }
        return Lack.RESOURCE.bit();
    }

    private int onPath(CompiledRule rule, NonResourceAttributes path) {
        return rule.rule.nonResourceUrls().isEmpty()
                ? OTHER_KIND
                : verb(rule) | Lack.PATH.unless(rule.coversPath(path.path()));
    }

    private int verb(CompiledRule rule) {
        return Lack.VERB.unless(rule.coversVerb(verbBit, access.verb()));
    }
}
