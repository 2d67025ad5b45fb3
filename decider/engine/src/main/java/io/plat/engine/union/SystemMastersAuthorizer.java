package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.MergedFindings;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.explain.RuleCollector;
import io.plat.engine.explain.SubjectCollector;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Authorizer that allows members of {@code system:masters} before any mode, so that the server remains accessible while its remote decider is
 * unavailable (specification, "RBAC mode", 7). Not to be used if the only mode refuses everything.
 */
public final class SystemMastersAuthorizer implements Authorizer, Explainer, CompositeAuthorizer {
    private static final Decision.Allow MASTERS = FixedGrant.allow(
            UserInfo.MASTERS, "group " + UserInfo.MASTERS, "allowed by membership in \"" + UserInfo.MASTERS + "\"");

    private final Authorizer modes;

    /** Creates an authorizer that delegates all other requests to the modes. */
    public SystemMastersAuthorizer(Authorizer modes) {
        this.modes = modes;
    }

    @Override
    public List<Member> parts() {
        return List.of(new Member("the modes", modes));
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return attributes.user().groups().contains(UserInfo.MASTERS) ? MASTERS : modes.authorize(attributes);
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        return attributes.user().groups().contains(UserInfo.MASTERS) ? MASTERS : modes.decideFromMemory(attributes);
    }

    @Override
    public ExplainedDecision explain(Attributes attributes) {
        ExplainedDecision byModes = explainer().explain(attributes);
        if (!attributes.user().groups().contains(UserInfo.MASTERS)) {
            return byModes;
        }
        MergedFindings merged = new MergedFindings();
        merged.add(ExplainedDecision.of(MASTERS).findings());
        merged.add(byModes.findings());
        return merged.with(MASTERS);
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        SubjectCollector subjects = new SubjectCollector();
        subjects.add(SubjectName.group(UserInfo.MASTERS), MASTERS.grant().named());
        subjects.addAll(explainer().subjects(access));
        return subjects.listing();
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        RuleCollector rules = new RuleCollector();
        if (user.groups().contains(UserInfo.MASTERS)) {
            rules.addAll(RuleListing.EVERYTHING);
        }
        rules.addAll(explainer().rules(user, namespace));
        return rules.listing();
    }

    @Override
    public PolicyNames names() {
        return explainer()
                .names()
                .and(new PolicyNames(
                        new TreeSet<>(List.of(SubjectName.group(UserInfo.MASTERS))), Collections.emptySortedSet()));
    }

    @Override
    public SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        SortedSet<SubjectName> all = new TreeSet<>(explainer().holders(any));
        all.add(SubjectName.group(UserInfo.MASTERS));
        return all;
    }

    private Explainer explainer() {
        return Explainer.of("the modes", modes);
    }
}
