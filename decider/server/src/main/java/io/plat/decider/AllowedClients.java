package io.plat.decider;

import java.util.Set;

/**
 * The clients that may ask.
 *
 * @param names common names, DNS names, and e-mail and URI names with their prefix; empty is every client that the handshake let in
 */
record AllowedClients(Set<String> names) {
    AllowedClients {
        names = Set.copyOf(names);
    }

    boolean mayAsk(ClientIdentity client) {
        return names.isEmpty() || client.names().stream().anyMatch(names::contains);
    }
}
