package io.plat.apiserver.filter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.plat.engine.Authorizer;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs impersonation ({@code Impersonate-User} and related fields) for callers that are permitted to impersonate every requested
 * attribute: user, groups, uid and extra fields, each checked separately, for any request or only for the one that is made. The call keeps
 * both identities, and the header fields are hidden.
 */
public final class ImpersonationFilter implements Filter {
    private static final Logger LOG = LoggerFactory.getLogger(ImpersonationFilter.class);
    private static final int MAX_CALLERS = 10_000;

    private final Authorizer authorizer;

    /** The last successful mode of callers by name, which is tried first, as in kube-apiserver: other modes cost further decisions. */
    private final Cache<String, String> lastModes = Caffeine.newBuilder()
            .maximumSize(MAX_CALLERS)
            .executor(Runnable::run)
            .build();

    public ImpersonationFilter(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public boolean mayBlock(Call call) {
        return Impersonation.isRequested(call.incoming());
    }

    @Override
    public void admit(Call call) throws StatusException {
        if (!Impersonation.isRequested(call.incoming())) {
            return;
        }
        Optional<Impersonation> desired = Impersonation.of(call.incoming());
        if (desired.isPresent()) {
            admit(call, desired.get());
        }
        call.hide(Impersonation::isImpersonationHeader);
    }

    /** Impersonates by the first mode that permits it; the failure of the first mode is reported. */
    private void admit(Call call, Impersonation desired) throws StatusException {
        long begun = System.nanoTime();
        String caller = call.user().name();
        List<String> modes = desired.modes(call.user());
        @Nullable String last = lastModes.getIfPresent(caller);
        if (last != null && modes.remove(last)) {
            modes.addFirst(last);
        }
        List<StatusException> failures = new ArrayList<>();
        for (String mode : modes) {
            List<Impersonation.Permission> permissions =
                    desired.requiredPermissions(mode, call.attributes().access());
            Optional<StatusException> failure = failure(call.user(), permissions, begun);
            if (failure.isEmpty()) {
                lastModes.put(caller, mode);
                UserInfo effective = desired.effective(mode);
                LOG.debug("{} is impersonating {}", caller, effective.name());
                call.impersonate(effective);
                return;
            }
            failures.add(failure.get());
        }
        throw failures.getFirst();
    }

    /**
     * Checks permissions of a caller; empty if it has all of them.
     *
     * @param begun start of the checks, by {@link System#nanoTime}
     * @throws StatusException 504 if they take too long
     */
    private Optional<StatusException> failure(UserInfo caller, List<Impersonation.Permission> permissions, long begun)
            throws StatusException {
        for (Impersonation.Permission permission : permissions) {
            if (System.nanoTime() - begun > Call.CHECKS_LIMIT) {
                throw new StatusException(
                        StatusReason.TIMEOUT, "Timeout: the permission to impersonate could not be checked in time");
            }
            try {
                require(new Attributes(caller, permission.access()), permission.refusal());
            } catch (StatusException refused) {
                return Optional.of(refused);
            }
        }
        return Optional.empty();
    }

    private void require(Attributes attributes, String refusal) throws StatusException {
        if (!refusal.isEmpty()) {
            throw new StatusException(Denials.forbidden(attributes, refusal));
        }
        AuthorizationFilter.admit(authorizer, attributes);
    }
}
