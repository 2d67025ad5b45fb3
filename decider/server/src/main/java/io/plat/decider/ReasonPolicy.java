package io.plat.decider;

import java.util.Set;
import org.eclipse.jetty.server.Request;

/**
 * Policy for reasons and explanations in responses.
 *
 * @param reasons whether all clients receive the reasons of decisions
 * @param names common names, DNS names, and e-mail and URI names with their prefix, of the clients that may request explanations, and always
 *     receive reasons
 */
record ReasonPolicy(boolean reasons, Set<String> names) {
    ReasonPolicy {
        names = Set.copyOf(names);
    }

    /** Returns whether the responses to a client's reviews have reasons. */
    boolean includesReasons(Request request) {
        return reasons || isNamed(ClientIdentity.of(request));
    }

    /** Returns whether a client may use the explaining types. If reasons are hidden, only named clients may. */
    boolean mayExplain(ClientIdentity client) {
        return isNamed(client) || (reasons && names.isEmpty());
    }

    private boolean isNamed(ClientIdentity client) {
        return client.names().stream().anyMatch(names::contains);
    }
}
