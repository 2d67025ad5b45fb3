package io.plat.apiserver.roles;

import io.plat.apiserver.objects.RoleConversion;
import io.plat.apiserver.options.WriteCheck;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Privilege escalation checks for writers of role objects. Thread-safe.
 *
 * <p>A check uses the role objects in effect. A write is acknowledged once it is in effect, so they include all acknowledged writes.
 * Role changes between the check and the write are equivalent to changes after the write, as each of them is checked by itself; a check is
 * repeated if the write comes much later.
 */
public final class EscalationGuard {
    private final Supplier<@Nullable RbacIndex> current;
    private final @Nullable String superUser;

    /**
     * @param current current role index, null while it is not loaded
     * @param superUser user exempt from checks, null for none
     */
    public EscalationGuard(Supplier<@Nullable RbacIndex> current, @Nullable String superUser) {
        this.current = Objects.requireNonNull(current);
        this.superUser = superUser == null || superUser.isEmpty() ? null : superUser;
    }

    public WriteCheck of(UserInfo actor) {
        boolean passes =
                actor.groups().contains(UserInfo.MASTERS) || actor.name().equals(superUser);
        return passes
                ? WriteCheck.NONE
                : (target, part, object, stored) -> {
                    Optional<RbacKind> kind = target.type().identity().role();
                    if (kind.isPresent() && RoleConversion.changesContent(object, stored)) {
                        RbacObject after = RoleConversion.model(kind.get(), object);
                        RbacObject before = stored == null ? null : RoleConversion.model(kind.get(), stored);
                        new Grantor(actor, loaded(), target).admit(after, before);
                        requireRoom(after, before);
                    }
                };
    }

    /** Refuses a role that would make another one aggregate too many rules: those of other roles would be omitted. */
    private void requireRoom(RbacObject after, @Nullable RbacObject before) throws StatusException {
        if (!(after instanceof RbacRole role) || role.key().kind() != RbacKind.CLUSTER_ROLE) {
            return;
        }
        boolean adds = !(before instanceof RbacRole old)
                || role.bytes() > old.bytes()
                || !role.labels().equals(old.labels())
                || !Objects.equals(role.aggregation(), old.aggregation());
        Optional<ObjectKey> full = adds ? loaded().overfilledBy(role) : Optional.empty();
        if (full.isPresent()) {
            throw new StatusException(
                    StatusReason.FORBIDDEN,
                    "cluster role " + Quoted.of(role.key().name()) + " is forbidden: cluster role "
                            + Quoted.of(full.get().name()) + " would aggregate too many rules");
        }
    }

    private RbacIndex loaded() throws StatusException {
        RbacIndex index = current.get();
        if (index == null) {
            throw new StatusException(
                    StatusReason.INTERNAL_ERROR, "Internal error occurred: " + RbacAuthorizer.NOT_CURRENT);
        }
        return index;
    }
}
