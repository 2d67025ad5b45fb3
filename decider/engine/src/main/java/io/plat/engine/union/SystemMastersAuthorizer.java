package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.explain.RuleCollector;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Authorizer that allows members of {@code system:masters} before any mode, so that the server remains accessible while its remote decider is
 * unavailable (specification, "RBAC mode", 7). Not to be used if the only mode refuses everything.
 *
 * @param others the modes
 */
public record SystemMastersAuthorizer(Authorizer others) implements ExemptingAuthorizer {
    private static final Decision.Allow MASTERS = FixedGrant.allow(
            UserInfo.MASTERS, "group " + UserInfo.MASTERS, "allowed by membership in \"" + UserInfo.MASTERS + "\"");

    private static final SubjectName GROUP = SubjectName.group(UserInfo.MASTERS);

    @Override
    public Decision.Allow exemption() {
        return MASTERS;
    }

    @Override
    public boolean isExempt(Attributes attributes) {
        return attributes.user().groups().contains(UserInfo.MASTERS);
    }

    @Override
    public SubjectName exemptSubject(AccessAttributes access) {
        return GROUP;
    }

    @Override
    public void addRules(UserInfo user, RuleCollector rules) {
        if (user.groups().contains(UserInfo.MASTERS)) {
            rules.addAll(RuleListing.EVERYTHING);
        }
    }

    @Override
    public PolicyNames names() {
        return explainer().names().and(new PolicyNames(new TreeSet<>(List.of(GROUP)), Collections.emptySortedSet()));
    }

    @Override
    public SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        SortedSet<SubjectName> all = new TreeSet<>(explainer().holders(any));
        all.add(GROUP);
        return all;
    }
}
