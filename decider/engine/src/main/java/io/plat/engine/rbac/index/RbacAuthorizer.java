package io.plat.engine.rbac.index;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.explain.RuleCollector;
import io.plat.engine.explain.SubjectCollector;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The mode RBAC (specification, "RBAC mode"). Members of {@code system:masters} and the super user are allowed regardless of role objects, even
 * before these are loaded.
 */
public final class RbacAuthorizer implements Authorizer, Explainer {
    public static final String MODE = RbacGrant.MODE;

    /** Reason of an undecided request while the role objects are not loaded, or not current. */
    public static final String NOT_CURRENT = "authorization data is not current (component=roles)";

    private static final Decision.NoOpinion NO_MATCH = new Decision.NoOpinion("no RBAC policy matched");
    private static final Decision.Undecided NOT_LOADED = new Decision.Undecided(Decision.Cause.NOT_LOADED, NOT_CURRENT);
    private static final Decision.Allow MASTERS = FixedGrant.allow(
            MODE, "group " + UserInfo.MASTERS, "RBAC: allowed by membership in \"" + UserInfo.MASTERS + "\"");
    private static final Decision.Allow SUPER_USER =
            FixedGrant.allow(MODE, "--authorization-rbac-super-user", "RBAC: allowed as the super user");

    private static final UnexplainedAuthorizer UNKNOWN = new UnexplainedAuthorizer(MODE, NOT_CURRENT);

    private final RoleObjects loaded;
    private final Supplier<? extends @Nullable RoleObjects> current;
    private final String superUser;

    /**
     * Creates an authorizer for a changing index.
     *
     * @param current supplies the index of a decision, null while there is none; called once per decision
     * @param superUser a user who is always allowed, {@code ""} for none
     */
    public RbacAuthorizer(Supplier<@Nullable RbacIndex> current, String superUser) {
        this(RbacIndex.EMPTY, current, superUser);
    }

    private RbacAuthorizer(RoleObjects loaded, Supplier<? extends @Nullable RoleObjects> current, String superUser) {
        this.loaded = loaded;
        this.current = current;
        this.superUser = superUser;
    }

    /** Returns an authorizer with a fixed index. */
    public static RbacAuthorizer of(RbacIndex index, String superUser) {
        return new RbacAuthorizer(() -> index, superUser);
    }

    /**
     * Creates an authorizer without an index: each decision scans the whole policy, but the first one is available sooner. Decisions and
     * explanations are those of {@link RbacIndex#of}.
     */
    public static RbacAuthorizer unindexed(RbacPolicy policy, String superUser) {
        RoleObjects scanned = new ScannedRoles(policy);
        return new RbacAuthorizer(RbacIndex.EMPTY, () -> scanned, superUser);
    }

    /**
     * Creates an authorizer with two indexes: a request is allowed if either grants it. Bindings only refer to roles of their own index, so that the
     * role objects of one source do not affect those of the other.
     *
     * @param loaded consulted first
     * @param followed supplies null if not loaded or not current: then only the grants of the first one are in effect
     */
    public static RbacAuthorizer of(RbacIndex loaded, Supplier<@Nullable RbacIndex> followed, String superUser) {
        return new RbacAuthorizer(loaded, followed, superUser);
    }

    /** Returns the role objects of each source separately, as bindings only refer to roles of the same source. */
    public List<RbacPolicy> policies() {
        List<RbacPolicy> policies = new ArrayList<>();
        if (loaded != RbacIndex.EMPTY) {
            policies.add(loaded.policy());
        }
        RoleObjects index = current.get();
        if (index != null) {
            policies.add(index.policy());
        }
        return List.copyOf(policies);
    }

    /** Returns whether all role objects are loaded. */
    public boolean isLoaded() {
        return current.get() != null;
    }

    @Override
    public Decision authorize(Attributes attributes) {
        Decision.Allow allow = withoutRoles(attributes.user());
        if (allow == null && loaded != RbacIndex.EMPTY) {
            allow = loaded.find(attributes);
        }
        return allow == null ? byRoles(current.get(), attributes) : allow;
    }

    private Decision.@Nullable Allow withoutRoles(UserInfo user) {
        if (user.groups().contains(UserInfo.MASTERS)) {
            return MASTERS;
        }
        return isSuperUser(user) ? SUPER_USER : null;
    }

    private boolean isSuperUser(UserInfo user) {
        return !superUser.isEmpty() && superUser.equals(user.name());
    }

    private static Decision byRoles(@Nullable RoleObjects index, Attributes attributes) {
        if (index == null) {
            return NOT_LOADED;
        }
        Decision.Allow allow = index.find(attributes);
        return allow == null ? NO_MATCH : allow;
    }

    @Override
    public ExplainedDecision explain(Attributes attributes) {
        RoleObjects index = current.get();
        Decision decision = new RbacAuthorizer(loaded, () -> index, superUser).authorize(attributes);
        List<NamedGrant> fixed = new ArrayList<>();
        if (attributes.user().groups().contains(UserInfo.MASTERS)) {
            fixed.add(MASTERS.grant().named());
        }
        if (isSuperUser(attributes.user())) {
            fixed.add(SUPER_USER.grant().named());
        }
        return new RbacExplanation(indexes(index), attributes).of(decision, fixed, unknown(index));
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        SubjectCollector subjects = new SubjectCollector();
        subjects.add(SubjectName.group(UserInfo.MASTERS), MASTERS.grant().named());
        if (!superUser.isEmpty()) {
            subjects.add(SubjectName.user(superUser), SUPER_USER.grant().named());
        }
        RoleObjects index = current.get();
        RbacSubjects.addTo(subjects, indexes(index), access);
        subjects.addUnexplained(unknown(index));
        return subjects.listing();
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        RoleObjects index = current.get();
        RuleCollector rules = new RuleCollector();
        if (withoutRoles(user) != null) {
            rules.addAll(RuleListing.EVERYTHING);
        }
        indexes(index).forEach(one -> one.forEachRule(user, namespace, rule -> add(rule, rules)));
        return rules.listing(unknown(index));
    }

    private static void add(RbacRule rule, RuleCollector rules) {
        if (rule.resources().isEmpty()) {
            rules.add(new PathRule(rule.verbs(), rule.nonResourceUrls()));
        } else {
            rules.add(new ResourceRule(rule.verbs(), rule.apiGroups(), rule.resources(), rule.resourceNames()));
        }
    }

    private List<RoleObjects> indexes(@Nullable RoleObjects index) {
        return index == null ? List.of(loaded) : List.of(loaded, index);
    }

    private static List<UnexplainedAuthorizer> unknown(@Nullable RoleObjects index) {
        return index == null ? List.of(UNKNOWN) : List.of();
    }

    @Override
    public PolicyNames names() {
        return RbacSubjects.named(indexes(current.get()))
                .and(new PolicyNames(fixedHolders(), Collections.emptySortedSet()));
    }

    @Override
    public SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        SortedSet<SubjectName> holders = fixedHolders();
        holders.addAll(RbacSubjects.holders(indexes(current.get()), any));
        return holders;
    }

    /** Returns the subjects that are allowed regardless of roles. */
    private SortedSet<SubjectName> fixedHolders() {
        SortedSet<SubjectName> fixedHolders = new TreeSet<>(List.of(SubjectName.group(UserInfo.MASTERS)));
        if (!superUser.isEmpty()) {
            fixedHolders.add(SubjectName.user(superUser));
        }
        return fixedHolders;
    }

    @Override
    public Decision decideFromMemory(Attributes attributes) {
        return authorize(attributes);
    }
}
