package io.plat.apiserver.filter;

import io.plat.engine.Authorizer;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs impersonation ({@code Impersonate-User} and related fields) for callers that are permitted to impersonate every requested
 * attribute: user, groups, uid and extra fields, each checked separately. The call keeps both identities, and the header fields are
 * hidden.
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
            for (ResourceAttributes permission : desired.get().requiredPermissions()) {
                AuthorizationFilter.admit(authorizer, new Attributes(call.user(), permission));
            }
            UserInfo effective = desired.get().effective();
            LOG.debug("{} is impersonating {}", call.user().name(), effective.name());
            call.impersonate(effective);
        }
        call.hide(Impersonation::isImpersonationHeader);
    }
}
