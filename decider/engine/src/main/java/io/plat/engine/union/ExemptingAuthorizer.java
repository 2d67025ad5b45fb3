package io.plat.engine.union;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.explain.DelegatingExplainer;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.MergedFindings;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.explain.RuleCollector;
import io.plat.engine.explain.SubjectCollector;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.PathRule;
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
 * Authorizer that allows exempt requests before any mode is called, and delegates all others: the members of a group, or everybody on some
 * non-resource paths.
 *
 * @param exemption the decision on exempt requests
 * @param group the exempt group; null for everybody
 * @param paths patterns of the exempt paths; null for all access
 * @param others decides all other requests
 */
public record ExemptingAuthorizer(
        Decision.Allow exemption,
        @Nullable SubjectName group,
        @Nullable List<String> paths,
        Authorizer others) implements Authorizer, DelegatingExplainer, CompositeAuthorizer {
    private static final Decision.Allow MASTERS = FixedGrant.allow(
            UserInfo.MASTERS, "group " + UserInfo.MASTERS, "allowed by membership in \"" + UserInfo.MASTERS + "\"");
    private static final Decision.Allow PATHS = FixedGrant.allow(
            "AlwaysAllowedPaths",
            "--authorization-always-allow-paths",
            "allowed by --authorization-always-allow-paths");

    /**
     * Returns an authorizer that exempts members of {@code system:masters}, so that the server remains accessible while its remote decider is
     * unavailable (specification, "RBAC mode", 7). Not to be used if the only mode refuses everything.
     */
    public static ExemptingAuthorizer ofMasters(Authorizer others) {
        return new ExemptingAuthorizer(MASTERS, SubjectName.group(UserInfo.MASTERS), null, others);
    }

    /**
     * Returns an authorizer that exempts paths for everybody ({@code --authorization-always-allow-paths}), such as health checks of a load
     * balancer.
     *
     * @param patterns paths; a trailing {@code *} matches any suffix
     */
    public static ExemptingAuthorizer ofPaths(List<String> patterns, Authorizer others) {
        return new ExemptingAuthorizer(PATHS, null, List.copyOf(patterns), others);
    }

    private boolean includes(UserInfo user) {
        return group == null || user.groups().contains(group.name());
    }

    private boolean includes(AccessAttributes access) {
        return paths == null
                || (access instanceof NonResourceAttributes path
                        && paths.stream().anyMatch(path::isMatchedBy));
    }

    private boolean isExempt(Attributes attributes) {
        return includes(attributes.user()) && includes(attributes.access());
    }

    @Override
    public List<Member> parts() {
        return List.of(new Member("the authorizer", others));
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return isExempt(attributes) ? exemption : others.authorize(attributes);
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        return isExempt(attributes) ? exemption : others.decideFromMemory(attributes);
    }

    @Override
    public boolean allowsFromMemory(Attributes attributes) {
        return isExempt(attributes) || others.allowsFromMemory(attributes);
    }

    @Override
    public Explainer explainer() {
        return Explainer.of("the authorizer", others);
    }

    @Override
    public ExplainedDecision explain(Attributes attributes) {
        ExplainedDecision byOthers = explainer().explain(attributes);
        if (!isExempt(attributes)) {
            return byOthers;
        }
        MergedFindings merged = new MergedFindings();
        merged.add(ExplainedDecision.of(exemption).findings());
        merged.add(byOthers.findings());
        return merged.with(exemption);
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        SubjectListing byOthers = explainer().subjects(access);
        if (!includes(access)) {
            return byOthers;
        }
        SubjectCollector subjects = new SubjectCollector();
        subjects.add(
                group == null ? SubjectName.EVERYBODY : group, exemption.grant().named());
        subjects.addAll(byOthers);
        return subjects.listing();
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        RuleCollector rules = new RuleCollector();
        if (includes(user) && paths == null) {
            rules.addAll(RuleListing.EVERYTHING);
        } else if (includes(user) && paths != null) {
            rules.add(new PathRule(List.of("*"), paths));
        }
        rules.addAll(explainer().rules(user, namespace));
        return rules.listing();
    }

    @Override
    public PolicyNames names() {
        return explainer().names().and(new PolicyNames(named(), Collections.emptySortedSet()));
    }

    @Override
    public SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        SortedSet<SubjectName> all = named();
        all.addAll(explainer().holders(any));
        return all;
    }

    /** Returns the exempt group, if there is one. */
    private SortedSet<SubjectName> named() {
        return new TreeSet<>(group == null ? List.of() : List.of(group));
    }
}
