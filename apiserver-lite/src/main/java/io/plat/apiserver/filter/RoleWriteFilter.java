package io.plat.apiserver.filter;

import io.plat.review.ApiGroups;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets role objects be written by {@code system:masters} and the super user alone, whatever the authorizer allows. Whoever
 * could write them could grant anything to anybody; until a write is compared with what its author holds, nobody else may. The
 * answer to everybody else is 403.
 */
public final class RoleWriteFilter implements Filter {
    private static final Set<String> READING = Set.of("get", "list", "watch");

    private static final String REFUSAL =
            "role objects can be written only by members of \"system:masters\" and by the RBAC super user";

    private final @Nullable String superUser;

    /**
     * A filter.
     *
     * @param superUser the user of {@code --authorization-rbac-super-user}, or null
     */
    public RoleWriteFilter(@Nullable String superUser) {
        this.superUser = superUser;
    }

    @Override
    public void admit(Call call) throws StatusException {
        if (!(call.info().access() instanceof ResourceAttributes access)
                || !ApiGroups.canonical(access.group()).equals(ApiGroups.RBAC)
                || READING.contains(access.verb())) {
            return;
        }
        UserInfo user = call.user();
        if (!user.groups().contains(UserInfo.MASTERS) && !user.name().equals(superUser)) {
            throw new StatusException(Denials.refused(call.attributes(), REFUSAL));
        }
    }
}
