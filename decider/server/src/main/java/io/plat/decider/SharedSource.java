package io.plat.decider;

import io.plat.engine.Authorizer;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.policy.AuthorizerSource;
import io.plat.review.source.ProblemsException;
import org.jspecify.annotations.Nullable;

/** A source that is shared by the policy in effect and a candidate: opened once, so that there is one cache and one connection. */
final class SharedSource implements AuthorizerSource {
    private final AuthorizerSource source;
    private @Nullable Authorizer opened;

    SharedSource(AuthorizerSource source) {
        this.source = source;
    }

    @Override
    public synchronized Authorizer open() throws ProblemsException {
        @Nullable Authorizer known = opened;
        if (known != null) {
            return known;
        }
        // If it fails, the server does not start, and the error has been reported once.
        opened = new AlwaysDeny();
        Authorizer made = source.open();
        opened = made;
        return made;
    }
}
