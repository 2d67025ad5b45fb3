package io.plat.decider;

import io.plat.http.StatusResponses;
import io.plat.review.source.Quoted;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Handler that rejects clients without permission to use the decider. */
final class Admission extends Handler.Wrapper {
    private final Set<String> allowed;

    /**
     * Admits clients.
     *
     * @param allowed common names, DNS names, and e-mail and URI names with their prefix; empty is every client that the handshake let in
     */
    Admission(Set<String> allowed) {
        this.allowed = allowed;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        ClientIdentity client = ClientIdentity.of(request);
        if (!allowed.isEmpty() && client.names().stream().noneMatch(allowed::contains)) {
            String name = Quoted.of(client.user().name());
            StatusResponses.answer(
                    request,
                    response,
                    callback,
                    Status.of(StatusReason.FORBIDDEN, "client " + name + " is not allowed to use this decider"));
            return true;
        }
        return super.handle(request, response, callback);
    }
}
