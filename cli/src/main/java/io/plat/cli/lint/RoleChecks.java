package io.plat.cli.lint;

import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.source.Location;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks of roles and bindings, and of the references between them. */
final class RoleChecks {
    private static final Set<String> NEVER_NAMED = Set.of("create", "deletecollection");
    private static final Set<String> READS = Set.of("get", "list", "watch", RbacRule.ALL);

    /** Default roles of every server. */
    private static final Set<String> OF_EVERY_SERVER = Set.of("cluster-admin", "admin", "edit", "view");

    /** More rules of one role are not compared with each other. */
    private static final int MAX_COMPARED = 500;

    private final Map<ObjectKey, RbacRole> roles = new HashMap<>();
    private final Set<ObjectKey> bound = new HashSet<>();
    private final Set<ObjectKey> boundEverywhere = new HashSet<>();
    private final List<RbacRole> aggregating = new ArrayList<>();
    private final RbacPolicy policy;
    private final PolicyAccess.Vocabulary covered = new PolicyAccess.Vocabulary();
    private final Consumer<Finding> findings;

    RoleChecks(RbacPolicy policy, Consumer<Finding> findings) {
        this.policy = policy;
        this.findings = findings;
        policy.roles().forEach(role -> roles.put(role.key(), role));
        policy.roles().stream().filter(role -> role.aggregation() != null).forEach(aggregating::add);
        for (RbacBinding binding : policy.bindings()) {
            ObjectKey role = binding.role();
            if (role != null) {
                bound.add(role);
                if (binding.key().kind() == RbacKind.CLUSTER_ROLE_BINDING) {
                    boundEverywhere.add(role);
                }
            }
        }
    }

    void run() {
        policy.bindings().forEach(this::binding);
        policy.roles().forEach(this::role);
    }

    private void binding(RbacBinding binding) {
        Location where = where(binding);
        ObjectKey role = binding.role();
        boolean exists = role != null && (roles.containsKey(role) || isOfEveryServer(role));
        if (!exists) {
            String intended =
                    binding.roleRef().kind() + " " + Quoted.of(binding.roleRef().name());
            find(
                    LintRule.DANGLING_ROLE,
                    where,
                    binding.key() + " refers to " + intended + ", "
                            + (role == null ? "which it cannot grant" : "which does not exist")
                            + nearest(role));
        }
        Set<RbacSubject> seen = new HashSet<>();
        for (RbacSubject subject : binding.subjects()) {
            String named = subject.kind() + " " + Quoted.of(subject.name());
            if (!seen.add(subject)) {
                find(LintRule.DUPLICATE_SUBJECT, where, binding.key() + " names " + named + " more than once");
            }
            String cause = LineChecks.ImpossibleNames.cause(subject);
            if (!cause.isEmpty()) {
                find(LintRule.IMPOSSIBLE_SUBJECT, where, binding.key() + " names " + named + ": " + cause);
            }
        }
    }

    private static boolean isOfEveryServer(ObjectKey role) {
        return role.kind() == RbacKind.CLUSTER_ROLE
                && (OF_EVERY_SERVER.contains(role.name()) || role.name().startsWith("system:"));
    }

    private String nearest(@Nullable ObjectKey role) {
        if (role == null || role.kind() != RbacKind.ROLE) {
            return "";
        }
        ObjectKey cluster = new ObjectKey(RbacKind.CLUSTER_ROLE, "", role.name());
        return roles.containsKey(cluster) ? "; there is a ClusterRole of that name" : "";
    }

    private void role(RbacRole role) {
        Location where = where(role);
        boolean aggregated = aggregating.stream().anyMatch(one -> one.selects(role));
        if (!bound.contains(role.key()) && !aggregated && !isOfEveryServer(role.key())) {
            find(LintRule.UNBOUND_ROLE, where, role.key() + " is not bound");
        }
        if (role.aggregation() != null) {
            if (!isAggregated(role)) {
                find(LintRule.DEAD_RULE, where, role.key() + " aggregates other roles; its own rules have no effect");
            }
            return;
        }
        Set<RbacRule> seen = new HashSet<>();
        for (RbacRule rule : role.rules()) {
            Location at = Objects.requireNonNullElse(rule.where(), where);
            if (!seen.add(rule.at(null))) {
                find(LintRule.DUPLICATE_RULE, at, "the rule " + rule + " is duplicated in " + role.key());
            } else if (!dead(role, rule, at)) {
                dangerous(role, rule, at);
            }
        }
        shadowed(role, where);
    }

    /** Returns whether all rules of an aggregating role are the aggregated ones, as a server writes them. */
    private boolean isAggregated(RbacRole role) {
        if (role.rules().isEmpty()) {
            return true;
        }
        Set<RbacRule> aggregated = roles.values().stream()
                .filter(one -> role.selects(one))
                .flatMap(one -> one.rules().stream())
                .map(rule -> rule.at(null))
                .collect(Collectors.toSet());
        return role.rules().stream().map(rule -> rule.at(null)).allMatch(aggregated::contains);
    }

    /** Reports a rule, or a part of it, that cannot match any request; returns whether the whole rule cannot. */
    private boolean dead(RbacRole role, RbacRule rule, Location where) {
        boolean dead = false;
        if (!rule.resourceNames().isEmpty() && NEVER_NAMED.containsAll(rule.verbs())) {
            dead = true;
            find(
                    LintRule.DEAD_RULE,
                    where,
                    "resourceNames never cover " + String.join(", ", rule.verbs()) + ": such requests name no object");
        }
        for (String resource : rule.resources()) {
            if (resource.endsWith("/*")) {
                dead |= rule.resources().size() == 1;
                find(
                        LintRule.DEAD_RULE,
                        where,
                        Quoted.of(resource) + " is not a subresource; name each one, or \"*\" for everything");
            }
        }
        if (rule.resourceNames().contains(RbacRule.ALL)) {
            find(
                    LintRule.DEAD_RULE,
                    where,
                    "the name \"*\" is an object of that name; leave resourceNames out for all");
        }
        for (String url : rule.nonResourceUrls()) {
            if (url.indexOf('*') >= 0 && url.indexOf('*') < url.length() - 1) {
                find(
                        LintRule.DEAD_RULE,
                        where,
                        "the \"*\" within " + Quoted.of(url) + " is literal; only a final one is a wildcard");
            }
        }
        boolean onlyInNamespaces = bound.contains(role.key()) && !boundEverywhere.contains(role.key());
        if (!rule.nonResourceUrls().isEmpty()
                && onlyInNamespaces
                && aggregating.stream().noneMatch(one -> one.selects(role))) {
            dead = true;
            find(LintRule.DEAD_RULE, where, "paths require a ClusterRoleBinding that refers to " + role.key());
        }
        return dead;
    }

    private void dangerous(RbacRole role, RbacRule rule, Location where) {
        List<String> wildcards = new ArrayList<>();
        note("verbs", rule.verbs(), wildcards);
        note("API groups", rule.apiGroups(), wildcards);
        note("resources", rule.resources(), wildcards);
        note("paths", rule.nonResourceUrls(), wildcards);
        if (!wildcards.isEmpty()) {
            find(LintRule.WILDCARD, where, role.key() + " grants all " + listed(wildcards));
        }
        boolean core = rule.apiGroups().contains("") || rule.apiGroups().contains(RbacRule.ALL);
        boolean secrets =
                rule.resources().contains("secrets") || rule.resources().contains(RbacRule.ALL);
        if (core && secrets && rule.verbs().stream().anyMatch(READS::contains)) {
            find(LintRule.SECRET_ACCESS, where, role.key() + " lets " + secrets(rule.resourceNames()) + " be read");
        }
    }

    static String listed(List<String> words) {
        String last = words.getLast();
        return words.size() == 1 ? last : String.join(", ", words.subList(0, words.size() - 1)) + " and " + last;
    }

    private static String secrets(List<String> names) {
        if (names.isEmpty()) {
            return "all secrets";
        }
        return (names.size() == 1 ? "the secret " : "the secrets ") + String.join(", ", names);
    }

    static void note(String side, List<String> values, List<String> wildcards) {
        if (values.contains(RbacRule.ALL)) {
            wildcards.add(side);
        }
    }

    private void shadowed(RbacRole role, Location where) {
        if (role.rules().size() > MAX_COMPARED) {
            return;
        }
        // A duplicate is reported as such.
        Set<RbacRule> seen = new HashSet<>();
        List<AccessSet> sets = new ArrayList<>();
        for (RbacRule rule : role.rules().reversed()) {
            sets.addFirst(seen.add(rule.at(null)) ? covered.everywhere(rule) : AccessSet.NONE);
        }
        for (int i : Finding.redundant(sets)) {
            RbacRule rule = role.rules().get(i);
            find(
                    LintRule.SHADOWED_RULE,
                    Objects.requireNonNullElse(rule.where(), where),
                    "the rule " + rule + " grants nothing beyond the other rules of " + role.key());
        }
    }

    private static Location where(RbacObject object) {
        return Objects.requireNonNullElseGet(
                object.where(), () -> new Location(object.key().toString(), 0));
    }

    private void find(LintRule rule, Location where, String message) {
        findings.accept(Finding.of(rule, where, message));
    }
}
