package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.lint.Escalation;
import io.plat.cli.lint.Escalation.EscalationKind;
import io.plat.cli.lint.EscalationSearch;
import io.plat.engine.Decision;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Privilege escalations agree with a brute-force search that requests each right separately. {@code -Dplat.seed} repeats a run. Not a property of
 * jqwik, as those run before all other tests, one after another.
 */
final class EscalationsAgreeTest {
    private static final int POLICIES = Boolean.getBoolean("plat.full") ? 10_000 : 300;
    private static final long SEED = Long.getLong("plat.seed", System.nanoTime());

    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String CERTIFICATES = "certificates.k8s.io";
    private static final List<String> SPACES = List.of("a", "b");

    /** The last values of each are in no policy. */
    private static final List<String> VERBS =
            List.of("create", "update", "impersonate", "escalate", "bind", "approve", "get", "else");

    private static final List<String> GROUPS = List.of("", RBAC, CERTIFICATES, "apps", "else");
    private static final List<String> RESOURCES = List.of(
            "pods",
            "deployments",
            "serviceaccounts/token",
            "serviceaccounts",
            "users",
            "groups",
            "roles",
            "clusterroles",
            "rolebindings",
            "clusterrolebindings",
            "signers",
            "certificatesigningrequests",
            "certificatesigningrequests/approval",
            "pods/exec",
            "pods/attach",
            "pods/ephemeralcontainers",
            "else",
            "else/else");
    private static final List<String> NAMES = List.of("", "x", "jane", "dev", "r0", "r1", "else");
    private static final List<String> NAMESPACES = List.of("", "a", "b", "else");
    private static final List<RbacSubject> SUBJECTS = List.of(
            RbacSubject.user("jane"),
            RbacSubject.user("joe"),
            RbacSubject.group("dev"),
            RbacSubject.serviceAccount("a", "x"),
            RbacSubject.serviceAccount("b", "x"),
            RbacSubject.group("system:serviceaccounts:a"));

    private static final List<ResourceAttributes> UNIVERSE = universe();

    private static List<ResourceAttributes> universe() {
        List<ResourceAttributes> all = new ArrayList<>();
        for (String verb : VERBS) {
            for (String group : GROUPS) {
                for (String resource : RESOURCES) {
                    for (String name : NAMES) {
                        NAMESPACES.forEach(namespace -> all.add(access(namespace, verb, group, resource, name)));
                    }
                }
            }
        }
        return List.copyOf(all);
    }

    private static ResourceAttributes access(
            String namespace, String verb, String group, String resource, String name) {
        String[] parts = resource.split("/", 2);
        return new ResourceAttributes(namespace, verb, group, "", parts[0], parts.length < 2 ? "" : parts[1], name);
    }

    @Test
    void escalationsAgreeWithABruteForceSearch() {
        System.out.println(POLICIES + " random policies, -Dplat.seed=" + SEED);
        for (int i = 0; i < POLICIES; i++) {
            RbacPolicy policy = random(new Random(SEED + i));
            PolicyAccess access = new PolicyAccess.Builder(new PolicyAccess.Vocabulary())
                    .add(policy)
                    .build();
            Search search = new Search(policy, access.subjects());
            Set<String> expected = new TreeSet<>();
            for (SubjectName subject : access.subjects()) {
                search.waysUp(subject).forEach(way -> expected.add(subject + " " + way));
            }
            Set<String> computed = new TreeSet<>();
            for (Escalation escalation : EscalationSearch.of(access, Set.copyOf(SPACES), policy)) {
                computed.add(escalation.subject() + " " + escalation.kind());
                search.checkEachStep(escalation);
            }
            assertThat(computed).as(policy::toString).isEqualTo(expected);
        }
    }

    private static RbacPolicy random(Random random) {
        List<RbacRole> roles = new ArrayList<>();
        List<RbacBinding> bindings = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(6); i++) {
            List<RbacRule> rules = new ArrayList<>();
            for (int j = 0; j <= random.nextInt(3); j++) {
                rules.add(rule(random));
            }
            roles.add(RbacRole.clusterRole("r" + i, rules));
            List<RbacSubject> subjects = List.of(one(SUBJECTS, random));
            bindings.add(
                    random.nextBoolean()
                            ? RbacBinding.clusterRoleBinding("b" + i, RoleRef.clusterRole("r" + i), subjects)
                            : RbacBinding.roleBinding(
                                    one(SPACES, random), "b" + i, RoleRef.clusterRole("r" + i), subjects));
        }
        return new RbacPolicy(roles, bindings);
    }

    private static RbacRule rule(Random random) {
        int all = random.nextInt(8);
        List<String> names = random.nextInt(5) == 0 ? List.of(one(NAMES.subList(1, 4), random)) : List.of();
        return switch (random.nextInt(9)) {
            case 0 -> rule(List.of("create"), "", "pods", List.of());
            case 1 ->
                rule(List.of("impersonate"), "", one(List.of("users", "groups", "serviceaccounts"), random), names);
            case 2 ->
                rule(
                        List.of(one(List.of("bind", "escalate"), random), one(List.of("create", "update"), random)),
                        RBAC,
                        random.nextBoolean() ? "*" : one(RESOURCES.subList(6, 10), random),
                        List.of());
            case 3 -> rule(List.of("create", "update", "approve"), CERTIFICATES, "*", List.of());
            case 4 -> rule(List.of("create"), "", "serviceaccounts/token", names);
            case 5 ->
                rule(
                        List.of("bind"),
                        RBAC,
                        one(List.of("roles", "clusterroles"), random),
                        List.of(one(List.of("r0", "r1"), random)));
            case 6 ->
                rule(List.of("create"), RBAC, one(List.of("rolebindings", "clusterrolebindings"), random), List.of());
            case 7 ->
                rule(
                        List.of(one(List.of("create", "get", "update"), random)),
                        "",
                        one(List.of("pods/exec", "pods/attach", "pods/ephemeralcontainers"), random),
                        names);
            default ->
                rule(
                        List.of(all == 0 ? "*" : named(VERBS, 1, random), named(VERBS, 1, random)),
                        all <= 1 ? "*" : named(GROUPS, 1, random),
                        all <= 2 ? "*" : named(RESOURCES, 2, random),
                        all == 3 ? names : List.of());
        };
    }

    private static RbacRule rule(List<String> verbs, String group, String resource, List<String> names) {
        return new RbacRule(verbs, List.of(group), List.of(resource), names, List.of(), null);
    }

    /** Returns one of the values in policies. */
    private static String named(List<String> values, int others, Random random) {
        return one(values.subList(0, values.size() - others), random);
    }

    private static <T> T one(List<T> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }

    /** Sends one request after another to the engine. */
    private static final class Search {
        private static final SubjectName MASTERS = SubjectName.group("system:masters");

        private final RbacPolicy policy;
        private final RbacAuthorizer authorizer;
        private final Set<SubjectName> subjects;
        private final Map<SubjectName, BitSet> allowed = new HashMap<>();
        private final Map<List<String>, BitSet> allowedByRole = new HashMap<>();

        /**
         * A step: its kind, the reached subject (everybody for all rights), where all rights hold, and the role that is bound if it is a
         * single one.
         */
        private record Step(EscalationKind way, SubjectName to, String namespace, String role) {
            Step(EscalationKind way, SubjectName to, String namespace) {
                this(way, to, namespace, "");
            }
        }

        Search(RbacPolicy policy, Set<SubjectName> named) {
            this.policy = policy;
            this.authorizer = RbacAuthorizer.of(RbacIndex.of(policy), "");
            this.subjects = new HashSet<>(named);
            if (named.contains(SubjectName.group("system:serviceaccounts:a"))) {
                subjects.add(SubjectName.user("system:serviceaccount:a:default"));
            }
        }

        private boolean may(
                SubjectName who, String verb, String group, String resource, String namespace, String name) {
            return may(who, access(namespace, verb, group, resource, name));
        }

        private boolean may(SubjectName who, ResourceAttributes access) {
            return authorizer.authorize(new Attributes(user(who), access)) instanceof Decision.Allow;
        }

        /** Returns whether an access is allowed for some name in some namespace. */
        private boolean mayOne(SubjectName who, String verb, String group, String resource) {
            return NAMES.stream()
                    .anyMatch(name -> NAMESPACES.stream()
                            .anyMatch(namespace -> may(who, verb, group, resource, namespace, name)));
        }

        /** Returns whether an access is allowed for some name without a namespace. */
        private boolean mayOneOutside(SubjectName who, String verb, String group, String resource) {
            return NAMES.stream().anyMatch(name -> may(who, verb, group, resource, "", name));
        }

        /** Returns whether an existing role may be changed. */
        private boolean mayOneIn(String namespace, SubjectName who, String resource) {
            return NAMES.stream().anyMatch(name -> may(who, "update", RBAC, resource, namespace, name));
        }

        private boolean everything(SubjectName who, String namespace) {
            return may(who, "else", "else", "else/else", namespace.isEmpty() ? "else" : namespace, "else");
        }

        private static UserInfo user(SubjectName who) {
            return switch (who.kind()) {
                case EVERYBODY -> throw new IllegalArgumentException("nobody in particular");
                case GROUP -> new UserInfo("", List.of(who.name(), "system:authenticated"));
                case USER -> new UserInfo(who.name(), List.of("system:authenticated"));
                case SERVICE_ACCOUNT ->
                    new UserInfo(
                            "system:serviceaccount:" + who.namespace() + ":" + who.name(),
                            List.of(
                                    "system:serviceaccounts",
                                    "system:serviceaccounts:" + who.namespace(),
                                    "system:authenticated"));
            };
        }

        Set<EscalationKind> waysUp(SubjectName who) {
            Set<EscalationKind> ways = new TreeSet<>();
            if (everything(who, "")) {
                return ways;
            }
            for (EscalationKind way : EscalationKind.values()) {
                Deque<Step> open = new ArrayDeque<>(
                        steps(who).stream().filter(step -> step.way() == way).toList());
                Set<SubjectName> seen = new HashSet<>(Set.of(who));
                while (!open.isEmpty() && !ways.contains(way)) {
                    Step step = open.remove();
                    if (!step.role().isEmpty()) {
                        if (exceeds(allowedBy(step.role(), step.namespace()), allowed(who))) {
                            ways.add(way);
                        }
                    } else if (step.to().equals(SubjectName.EVERYBODY)) {
                        if (!everything(who, step.namespace())) {
                            ways.add(way);
                        }
                    } else if (seen.add(step.to())) {
                        if (step.to().equals(MASTERS) || exceeds(allowed(step.to()), allowed(who))) {
                            ways.add(way);
                        }
                        open.addAll(steps(step.to()));
                    }
                }
            }
            return ways;
        }

        private static boolean exceeds(BitSet some, BitSet others) {
            BitSet more = (BitSet) some.clone();
            more.andNot(others);
            return !more.isEmpty();
        }

        /** Returns the allowed accesses of the universe. */
        private BitSet allowed(SubjectName who) {
            return allowed.computeIfAbsent(who, one -> {
                UserInfo user = user(one);
                BitSet all = new BitSet(UNIVERSE.size());
                for (int i = 0; i < UNIVERSE.size(); i++) {
                    all.set(i, authorizer.authorize(new Attributes(user, UNIVERSE.get(i))) instanceof Decision.Allow);
                }
                return all;
            });
        }

        /** Returns the access of a subject with only one role. */
        private BitSet allowedBy(String role, String namespace) {
            return allowedByRole.computeIfAbsent(List.of(role, namespace), key -> {
                List<RbacSubject> subjects = List.of(RbacSubject.user("bound"));
                RoleRef reference = RoleRef.clusterRole(role);
                RbacBinding binding = namespace.isEmpty()
                        ? RbacBinding.clusterRoleBinding("bound", reference, subjects)
                        : RbacBinding.roleBinding(namespace, "bound", reference, subjects);
                Search bound = new Search(new RbacPolicy(policy.roles(), List.of(binding)), Set.of());
                return bound.allowed(SubjectName.user("bound"));
            });
        }

        private boolean runsIn(SubjectName who, String namespace) {
            return may(who, "create", "", "pods/exec", namespace, "")
                    || may(who, "get", "", "pods/exec", namespace, "")
                    || may(who, "create", "", "pods/attach", namespace, "")
                    || may(who, "get", "", "pods/attach", namespace, "")
                    || may(who, "update", "", "pods/ephemeralcontainers", namespace, "");
        }

        private List<Step> steps(SubjectName who) {
            List<Step> steps = new ArrayList<>();
            roles(who, steps);
            for (SubjectName to : subjects) {
                if (to.kind() == SubjectName.Kind.SERVICE_ACCOUNT) {
                    if (may(who, "create", "", "serviceaccounts/token", to.namespace(), to.name())) {
                        steps.add(new Step(EscalationKind.TOKEN, to, ""));
                    }
                    if (may(who, "create", "", "pods", to.namespace(), "")
                            || may(who, "create", "apps", "deployments", to.namespace(), "")
                            || everything(who, to.namespace())) {
                        steps.add(new Step(EscalationKind.POD, to, ""));
                    }
                }
                if (to.kind() == SubjectName.Kind.SERVICE_ACCOUNT && runsIn(who, to.namespace())) {
                    steps.add(new Step(EscalationKind.EXEC, to, ""));
                }
                if (impersonates(who, to)) {
                    steps.add(new Step(EscalationKind.IMPERSONATE, to, ""));
                }
            }
            if (impersonates(who, MASTERS)) {
                steps.add(new Step(EscalationKind.IMPERSONATE, MASTERS, ""));
            }
            if (may(who, "create", CERTIFICATES, "certificatesigningrequests", "", "")
                    && mayOneOutside(who, "approve", CERTIFICATES, "signers")
                    && mayOneOutside(who, "update", CERTIFICATES, "certificatesigningrequests/approval")) {
                steps.add(new Step(EscalationKind.CERTIFICATE, SubjectName.EVERYBODY, ""));
            }
            return steps;
        }

        private boolean impersonates(SubjectName who, SubjectName to) {
            return switch (to.kind()) {
                case EVERYBODY -> false;
                case USER -> may(who, "impersonate", "", "users", "", to.name());
                case SERVICE_ACCOUNT -> may(who, "impersonate", "", "serviceaccounts", to.namespace(), to.name());
                case GROUP ->
                    may(who, "impersonate", "", "groups", "", to.name())
                            && (mayOneOutside(who, "impersonate", "", "users")
                                    || mayOne(who, "impersonate", "", "serviceaccounts"));
            };
        }

        private void roles(SubjectName who, List<Step> steps) {
            if (may(who, "escalate", RBAC, "clusterroles", "", "")
                    && (may(who, "create", RBAC, "clusterroles", "", "") || mayOneIn("", who, "clusterroles"))) {
                steps.add(new Step(EscalationKind.ESCALATE, SubjectName.EVERYBODY, ""));
            }
            if (may(who, "bind", RBAC, "clusterroles", "", "")
                    && may(who, "create", RBAC, "clusterrolebindings", "", "")) {
                steps.add(new Step(EscalationKind.BIND, SubjectName.EVERYBODY, ""));
            }
            named(who, "", "clusterrolebindings", steps);
            for (String namespace : SPACES) {
                named(who, namespace, "rolebindings", steps);
                if (may(who, "escalate", RBAC, "roles", namespace, "")
                        && (may(who, "create", RBAC, "roles", namespace, "") || mayOneIn(namespace, who, "roles"))) {
                    steps.add(new Step(EscalationKind.ESCALATE, SubjectName.EVERYBODY, namespace));
                }
                boolean binds = may(who, "bind", RBAC, "roles", namespace, "")
                        || may(who, "bind", RBAC, "clusterroles", namespace, "");
                if (binds && may(who, "create", RBAC, "rolebindings", namespace, "")) {
                    steps.add(new Step(EscalationKind.BIND, SubjectName.EVERYBODY, namespace));
                }
            }
        }

        private void named(SubjectName who, String namespace, String bindings, List<Step> steps) {
            if (may(who, "create", RBAC, bindings, namespace, "")) {
                for (RbacRole role : policy.roles()) {
                    String name = role.key().name();
                    if (may(who, "bind", RBAC, "clusterroles", namespace, name)) {
                        steps.add(new Step(EscalationKind.BIND, SubjectName.EVERYBODY, namespace, name));
                    }
                }
            }
        }

        /** Each step's right is held by the subject that the previous step reached. */
        void checkEachStep(Escalation escalation) {
            SubjectName at = escalation.subject();
            for (Escalation.Step step : escalation.steps()) {
                assertThat(may(at, step.by())).as(escalation::toString).isTrue();
                at = step.to();
            }
        }
    }
}
