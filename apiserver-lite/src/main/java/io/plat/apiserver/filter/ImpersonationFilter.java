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
 * Has requests made as somebody else ({@code Impersonate-User} and its kin) by those who may impersonate every attribute that they
 * name: the user, each group, the uid, each further fact, asked about one by one. The call keeps both identities, and the header
 * fields go no further.
 */
public final class ImpersonationFilter implements Filter {
    private static final Logger LOG = LoggerFactory.getLogger(ImpersonationFilter.class);

    private final Authorizer authorizer;

    /** A filter that obeys this authorizer. */
    public ImpersonationFilter(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public boolean admitAtOnce(Call call) throws StatusException {
        if (Impersonation.wanted(call.incoming())) {
            return false;
        }
        admit(call);
        return true;
    }

    @Override
    public void admit(Call call) throws StatusException {
        if (!Impersonation.wanted(call.incoming())) {
            return;
        }
        Optional<Impersonation> wanted = Impersonation.of(call.incoming());
        if (wanted.isPresent()) {
            for (ResourceAttributes question : wanted.get().questions()) {
                AuthorizationFilter.admit(authorizer, new Attributes(call.user(), question));
            }
            UserInfo effective = wanted.get().effective();
            LOG.debug("{} is impersonating {}", call.user().name(), effective.name());
            call.impersonate(effective);
        }
        call.hide(Impersonation::isOne);
    }
}
