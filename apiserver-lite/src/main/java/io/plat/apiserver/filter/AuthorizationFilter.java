package io.plat.apiserver.filter;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.status.StatusException;

/**
 * Asks whether the user may do this (contract, "What becomes of a decision"). A denial, or nobody's having an opinion, is 403
 * with the reason; what could not be decided is 500, never an allow.
 */
public final class AuthorizationFilter implements Filter {
    private final Authorizer authorizer;

    /** A filter that obeys this authorizer. */
    public AuthorizationFilter(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public void admit(Call call) throws StatusException {
        switch (authorizer.authorize(call.attributes())) {
            case Decision.Allow _ -> {}
            case Decision.Deny deny -> throw new StatusException(Denials.forbidden(call.attributes(), deny.reason()));
            case Decision.NoOpinion none ->
                throw new StatusException(Denials.forbidden(call.attributes(), none.reason()));
            case Decision.Undecided undecided ->
                throw new StatusException(Denials.undecided(call.attributes(), undecided.reason()));
        }
    }

    @Override
    public boolean waits() {
        return !authorizer.decidesFromMemory();
    }
}
