package io.plat.apiserver.filter;

import io.plat.engine.Authorizer;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs impersonation ({@code Impersonate-User} and related fields) for callers that are permitted to impersonate every requested
 * attribute: user, groups, uid and extra fields, each checked separately, for any request or only for the one that is made. The call keeps
 * both identities, and the header fields are hidden.
 */
public record ImpersonationFilter(Authorizer authorizer) implements Filter {
    private static final Logger LOG = LoggerFactory.getLogger(ImpersonationFilter.class);

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
        List<StatusException> failures = new ArrayList<>();
        for (String mode : desired.modes(call.user())) {
            try {
                for (Impersonation.Permission permission :
                        desired.requiredPermissions(mode, call.attributes().access())) {
                    if (System.nanoTime() - begun > Call.CHECKS_LIMIT) {
                        throw new StatusException(
                                StatusReason.TIMEOUT,
                                "Timeout: the permission to impersonate could not be checked in time");
                    }
                    require(new Attributes(call.user(), permission.access()), permission.refusal());
                }
            } catch (StatusException e) {
                failures.add(e);
                continue;
            }
            UserInfo effective = desired.effective(mode);
            LOG.debug("{} is impersonating {}", call.user().name(), effective.name());
            call.impersonate(effective);
            return;
        }
        throw failures.getFirst();
    }

    private void require(Attributes attributes, String refusal) throws StatusException {
        if (!refusal.isEmpty()) {
            throw new StatusException(Denials.forbidden(attributes, refusal));
        }
        AuthorizationFilter.admit(authorizer, attributes);
    }
}
