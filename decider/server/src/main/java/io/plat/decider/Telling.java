package io.plat.decider;

import java.util.Set;
import org.eclipse.jetty.server.Request;

/**
 * Which clients are told what decisions go by.
 *
 * @param reasons whether everybody is given the reasons of decisions
 * @param names common names, DNS names, and e-mail and URI names with their prefix, of those who may have everything explained, and are given reasons in any case
 */
record Telling(boolean reasons, Set<String> names) {
    Telling {
        names = Set.copyOf(names);
    }

    /** Whether the answers to a client's reviews say why. */
    boolean tellsReasons(Request request) {
        return reasons || isNamed(ClientIdentity.of(request));
    }

    /** Whether a client may use the explaining types. Where reasons are hidden, nobody may who is not named. */
    boolean mayExplain(ClientIdentity client) {
        return isNamed(client) || (reasons && names.isEmpty());
    }

    private boolean isNamed(ClientIdentity client) {
        return client.names().stream().anyMatch(names::contains);
    }
}
