package io.plat.cli.escalation;

import io.plat.engine.access.PolicyAccess;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.explain.SubjectName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rights that roles grant to subjects of bindings. Not thread-safe. */
final class RoleRights {
    private static final String BOUND = "bound";

    private final List<RbacRole> roles;
    private final Map<Place, Rights> rights = new HashMap<>();

    /** A role, bound in a namespace or, where that is {@code ""}, everywhere. */
    private record Place(ObjectKey role, String namespace) {}

    RoleRights(RbacPolicy policy) {
        this.roles = policy.roles();
    }

    /** The roles that a binding can give: in a namespace its own and cluster roles, everywhere cluster roles. */
    List<ObjectKey> boundIn(String namespace) {
        return roles.stream()
                .map(RbacRole::key)
                .filter(key -> key.kind() == RbacKind.CLUSTER_ROLE
                        || (!namespace.isEmpty() && key.namespace().equals(namespace)))
                .sorted()
                .toList();
    }

    Rights of(ObjectKey role, String namespace) {
        return rights.computeIfAbsent(new Place(role, namespace), place -> {
            List<RbacSubject> subjects = List.of(RbacSubject.user(BOUND));
            RoleRef reference =
                    role.kind() == RbacKind.CLUSTER_ROLE ? RoleRef.clusterRole(role.name()) : RoleRef.role(role.name());
            RbacBinding binding = namespace.isEmpty()
                    ? RbacBinding.clusterRoleBinding(BOUND, reference, subjects)
                    : RbacBinding.roleBinding(namespace, BOUND, reference, subjects);
            PolicyAccess access = new PolicyAccess.Builder(new PolicyAccess.Vocabulary())
                    .add(new RbacPolicy(roles, List.of(binding)))
                    .build();
            return Rights.of(SubjectName.user(BOUND), access);
        });
    }
}
