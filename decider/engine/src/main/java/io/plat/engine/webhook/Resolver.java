package io.plat.engine.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Knows the addresses of a name. */
@FunctionalInterface
interface Resolver {
    /** As this machine resolves names; what it has found holds for the JVM's {@code networkaddress.cache.ttl}. */
    Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /**
     * The addresses at this moment.
     *
     * @throws UnknownHostException where there are none
     */
    List<InetAddress> addresses(String host) throws UnknownHostException;
}
