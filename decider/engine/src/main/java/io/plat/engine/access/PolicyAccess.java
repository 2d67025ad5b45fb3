package io.plat.engine.access;

import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.index.BoundSubject;
import io.plat.engine.rbac.index.ScannedRoles;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The access of each subject under a policy. A subject is a user, a group, a user within a group, or everybody; a request is allowed if one of
 * its user's subjects has the access. Immutable.
 */
public final class PolicyAccess {
    private final Map<SubjectName, AccessSet> held;
    private final boolean byRoles;

    private PolicyAccess(Map<SubjectName, AccessSet> held, boolean byRoles) {
        this.held = held;
        this.byRoles = byRoles;
    }

    public Set<SubjectName> subjects() {
        return Collections.unmodifiableSet(held.keySet());
    }

    /** Returns the access of a subject, without that of the subjects that it implies. */
    public AccessSet of(SubjectName subject) {
        return held.getOrDefault(subject, AccessSet.NONE);
    }

    /** Returns whether the policy includes role objects, in which case members of {@code system:masters} are always allowed. */
    boolean byRoles() {
        return byRoles;
    }

    /** Returns the other subjects that every user of a subject belongs to. */
    static List<SubjectName> impliedBy(SubjectName subject) {
        if (subject.kind() == SubjectName.Kind.EVERYBODY) {
            return List.of();
        }
        if (subject.inGroup().isEmpty()) {
            return List.of(SubjectName.EVERYBODY);
        }
        return List.of(
                SubjectName.EVERYBODY,
                new SubjectName(subject.kind(), subject.name(), subject.namespace(), ""),
                SubjectName.group(subject.inGroup()));
    }

    static boolean isMaster(SubjectName subject) {
        return subject.inGroup().equals(UserInfo.MASTERS)
                || (subject.kind() == SubjectName.Kind.GROUP && subject.name().equals(UserInfo.MASTERS));
    }

    /** Builder that collects policies, whose grants add up. Not thread-safe. */
    public static final class Builder {
        private final RuleBoxes ofRules;
        private final Map<SubjectName, Draft> drafts = new HashMap<>();
        private final Map<String, Values> namespaces = new HashMap<>();
        private boolean byRoles;

        private static final class Draft {
            private final List<Box> boxes = new ArrayList<>(2);
            private final Map<Values, Set<String>> patterns = new LinkedHashMap<>();

            void addPaths(Values verbs, Collection<String> more) {
                patterns.computeIfAbsent(verbs, one -> new LinkedHashSet<>()).addAll(more);
            }

            void add(AbacLine line, RuleBoxes ofRules) {
                if (line.coversResources()) {
                    boxes.add(ofRules.of(line).in(RuleBoxes.exactOrAll(line.namespace(), name -> name)));
                }
                if (!line.nonResourcePath().isEmpty()) {
                    addPaths(RuleBoxes.verbs(line), List.of(line.nonResourcePath()));
                }
            }

            AccessSet set() {
                PathAccess paths = PathAccess.NONE;
                for (Map.Entry<Values, Set<String>> some : patterns.entrySet()) {
                    paths = paths.or(PathAccess.of(some.getKey(), some.getValue()));
                }
                return new AccessSet(ResourceAccess.of(boxes), paths);
            }
        }

        /** Accesses that a role covers: in a namespace, or everywhere and then including paths. */
        private record Covered(List<Box> boxes, List<RbacRule> onPaths) {}

        /** Creates a builder. Policies with the same vocabulary compare faster. */
        public Builder(Vocabulary vocabulary) {
            this.ofRules = vocabulary.ofRules;
        }

        /** Adds the grants of policy lines. A line with a slash in its resource matches no request path. */
        public Builder add(AbacPolicy policy) {
            policy.lines().forEach(this::add);
            return this;
        }

        private void add(AbacLine line) {
            SubjectName subject = line.subject();
            if (subject != null) {
                draft(subject).add(line, ofRules);
            }
        }

        /** Adds the grants of bindings. A binding whose role does not exist grants nothing. */
        public Builder add(RbacPolicy policy) {
            byRoles = true;
            IdentityHashMap<List<RbacRule>, Covered> covered = new IdentityHashMap<>();
            new ScannedRoles(policy)
                    .forEachGrant((binding, rules) -> add(binding, covered.computeIfAbsent(rules, this::covered)));
            return this;
        }

        private Covered covered(List<RbacRule> rules) {
            List<Box> all = new ArrayList<>();
            rules.forEach(rule -> all.addAll(ofRules.of(rule)));
            return new Covered(
                    all,
                    rules.stream()
                            .filter(rule -> !rule.nonResourceUrls().isEmpty())
                            .toList());
        }

        private void add(RbacBinding binding, Covered covered) {
            boolean everywhere = binding.key().kind() == RbacKind.CLUSTER_ROLE_BINDING;
            Values where = everywhere
                    ? Values.ALL
                    : namespaces.computeIfAbsent(binding.key().namespace(), Values::of);
            for (BoundSubject subject : BoundSubject.allOf(binding)) {
                Draft draft =
                        draft(subject.isGroup() ? SubjectName.group(subject.name()) : SubjectName.user(subject.name()));
                covered.boxes().forEach(box -> draft.boxes.add(box.in(where)));
                if (everywhere) {
                    covered.onPaths().forEach(rule -> draft.addPaths(ofRules.verbs(rule), rule.nonResourceUrls()));
                }
            }
        }

        private Draft draft(SubjectName subject) {
            return drafts.computeIfAbsent(subject, one -> new Draft());
        }

        public PolicyAccess build() {
            Map<SubjectName, AccessSet> held = HashMap.newHashMap(drafts.size());
            drafts.forEach((subject, draft) -> {
                AccessSet set = draft.set();
                if (!set.isEmpty()) {
                    held.put(subject, set);
                }
            });
            return new PolicyAccess(held, byRoles);
        }
    }

    /** Values shared between policies, and the access of single rules and lines, regardless of subject. Not thread-safe. */
    public static final class Vocabulary {
        private final RuleBoxes ofRules;

        /** Creates a vocabulary in which resources have arbitrary subresources. */
        public Vocabulary() {
            this(Subresources.ANY);
        }

        /** Creates a vocabulary in which the resources of policy lines have only these subresources. */
        public Vocabulary(Subresources known) {
            this.ofRules = new RuleBoxes(known);
        }

        /** Returns the access that a rule covers if a ClusterRoleBinding grants it. */
        public AccessSet everywhere(RbacRule rule) {
            Builder.Draft draft = new Builder.Draft();
            draft.boxes.addAll(ofRules.of(rule));
            draft.addPaths(ofRules.verbs(rule), rule.nonResourceUrls());
            return draft.set();
        }

        /** Returns the access that a line covers. */
        public AccessSet of(AbacLine line) {
            Builder.Draft draft = new Builder.Draft();
            draft.add(line, ofRules);
            return draft.set();
        }
    }

    /** Returns the combined access of both policies; either may be null. */
    public static PolicyAccess of(@Nullable AbacPolicy lines, @Nullable RbacPolicy roles, Vocabulary vocabulary) {
        Builder builder = new Builder(vocabulary);
        if (lines != null) {
            builder.add(lines);
        }
        if (roles != null) {
            builder.add(roles);
        }
        return builder.build();
    }
}
