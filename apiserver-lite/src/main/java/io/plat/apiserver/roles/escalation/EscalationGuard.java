package io.plat.apiserver.roles.escalation;

import io.plat.apiserver.options.RoleWriteCheck;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the checks of those who write role objects. For any number of threads.
 *
 * <p>A check is made by the role objects in effect at that moment. A write is acknowledged once it is in effect, so that they are never
 * older than what its author was told. Between the check and the write others may change roles: that comes to the same as if they
 * had done so after the write, as each of those changes is checked by itself.
 */
public final class EscalationGuard {
    private final Supplier<@Nullable RbacIndex> current;
    private final @Nullable String superUser;

    /**
     * A guard.
     *
     * @param current what the role objects grant, null while they are not loaded
     * @param superUser the user who may write any role object, null for none
     */
    public EscalationGuard(Supplier<@Nullable RbacIndex> current, @Nullable String superUser) {
        this.current = Objects.requireNonNull(current);
        this.superUser = superUser == null || superUser.isEmpty() ? null : superUser;
    }

    /** The check of what somebody writes. */
    public RoleWriteCheck of(UserInfo actor) {
        boolean passes =
                actor.groups().contains(UserInfo.MASTERS) || actor.name().equals(superUser);
        return passes
                ? RoleWriteCheck.NONE
                : (target, after, before) -> new Grantor(actor, loaded(), target).admit(after, before);
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
