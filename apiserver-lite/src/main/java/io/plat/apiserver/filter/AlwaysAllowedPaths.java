package io.plat.apiserver.filter;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.explain.RuleCollector;
import io.plat.engine.union.ExemptingAuthorizer;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.SubjectName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Authorizer that allows everyone some non-resource paths ({@code --authorization-always-allow-paths}), such as health checks of a load
 * balancer, and delegates everything else.
 *
 * @param patterns paths; a trailing {@code *} matches any suffix
 * @param others decides all other requests
 */
public record AlwaysAllowedPaths(List<String> patterns, Authorizer others) implements ExemptingAuthorizer {
    private static final Decision.Allow ALLOWED = FixedGrant.allow(
            "AlwaysAllowedPaths",
            "--authorization-always-allow-paths",
            "allowed by --authorization-always-allow-paths");

    public AlwaysAllowedPaths {
        patterns = List.copyOf(patterns);
    }

    @Override
    public Decision.Allow exemption() {
        return ALLOWED;
    }

    @Override
    public boolean isExempt(Attributes attributes) {
        return exemptSubject(attributes.access()) != null;
    }

    @Override
    public @Nullable SubjectName exemptSubject(AccessAttributes requested) {
        return requested instanceof NonResourceAttributes access
                        && patterns.stream().anyMatch(access::isMatchedBy)
                ? SubjectName.EVERYBODY
                : null;
    }

    @Override
    public void addRules(UserInfo user, RuleCollector rules) {
        rules.add(new PathRule(List.of("*"), patterns));
    }
}
