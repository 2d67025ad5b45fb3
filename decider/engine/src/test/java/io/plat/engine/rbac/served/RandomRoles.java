package io.plat.engine.rbac.served;

import io.plat.engine.rbac.ClusterRoleSelector;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.ApiGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Random valid role objects, all different. */
public final class RandomRoles {
    private static final List<String> WORDS = List.of(
            "pods", "get", "a.b-c", "*", "pods/log", "üñí", "日本", "\uD83D\uDE00", "\uFFFD", "q\"uo\\te", "x y\tz");

    private static final List<String> KEYS = List.of("pods", "get", "a.b-c", "pods/log");
    private static final List<String> VALUES = List.of("", "pods", "get", "a.b-c");

    private final Random random;
    private int count;

    /** Objects that the seed determines. */
    public RandomRoles(long seed) {
        this.random = new Random(seed);
    }

    /** Returns an object with a new name. */
    public RbacObject next(RbacKind kind) {
        ObjectKey key = new ObjectKey(kind, kind.namespaced() ? "ns-" + random.nextInt(3) : "", "o" + count++);
        return kind.isRole() ? role(key) : binding(key);
    }

    private RbacRole role(ObjectKey key) {
        boolean cluster = key.kind() == RbacKind.CLUSTER_ROLE;
        List<ClusterRoleSelector> aggregation = cluster && random.nextInt(4) == 0 ? list(1, this::selector) : null;
        return new RbacRole(key, labels(), list(0, () -> rule(cluster)), aggregation, null);
    }

    private RbacRule rule(boolean cluster) {
        return cluster && random.nextInt(4) == 0
                ? new RbacRule(words(1), List.of(), List.of(), List.of(), words(1), null)
                : new RbacRule(words(1), words(1), words(1), words(0), List.of(), null);
    }

    private ClusterRoleSelector selector() {
        return new ClusterRoleSelector(labels(), list(0, this::requirement));
    }

    /** Keys and values of expressions are validated, other than those of labels. */
    private ClusterRoleSelector.Requirement requirement() {
        String key = KEYS.get(random.nextInt(KEYS.size()));
        return random.nextBoolean()
                ? new ClusterRoleSelector.Requirement(
                        key,
                        random.nextBoolean() ? "In" : "NotIn",
                        list(1, () -> VALUES.get(random.nextInt(VALUES.size()))))
                : new ClusterRoleSelector.Requirement(key, random.nextBoolean() ? "Exists" : "DoesNotExist", List.of());
    }

    private RbacBinding binding(ObjectKey key) {
        boolean own = key.kind().namespaced() && random.nextBoolean();
        RoleRef roleRef = new RoleRef(group(), own ? "Role" : "ClusterRole", "", "r" + random.nextInt(5));
        return new RbacBinding(key, list(0, this::subject), roleRef, null);
    }

    private RbacSubject subject() {
        return switch (random.nextInt(3)) {
            case 0 -> new RbacSubject("User", group(), "", word());
            case 1 -> new RbacSubject("Group", group(), "", word());
            default -> new RbacSubject("ServiceAccount", "", "ns-" + random.nextInt(3), "sa" + random.nextInt(3));
        };
    }

    private String group() {
        return random.nextBoolean() ? ApiGroups.RBAC : "";
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        words(0).forEach(word -> labels.put(word, random.nextBoolean() ? "" : word()));
        return labels;
    }

    private List<String> words(int least) {
        return list(least, this::word);
    }

    private String word() {
        String word = WORDS.get(random.nextInt(WORDS.size()));
        return random.nextInt(20) == 0 ? word.repeat(40) : word;
    }

    private <T> List<T> list(int least, Supplier<T> element) {
        List<T> list = new ArrayList<>();
        int size = least + random.nextInt(3);
        while (list.size() < size) {
            list.add(element.get());
        }
        return list;
    }
}
