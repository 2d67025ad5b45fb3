package io.plat.tls.pki;

import io.plat.tls.x509.HostSyntax;
import java.net.InetAddress;

/** A subject alternative name: a DNS name or IP address of a server. */
public sealed interface AlternativeName {
    /**
     * A host name.
     *
     * @param name possibly with {@code *} as its whole first label
     */
    record Dns(String name) implements AlternativeName {
        public Dns {
            if (!HostSyntax.isName(name)) {
                throw new IllegalArgumentException("'" + name + "' is not a host name");
            }
        }
    }

    /**
     * An address.
     *
     * @param address version 4 or 6
     */
    record Ip(InetAddress address) implements AlternativeName {}

    /**
     * Parses a name as an address or a host name.
     *
     * @throws IllegalArgumentException if it is neither; the message is one line
     */
    static AlternativeName parse(String text) {
        if (HostSyntax.looksLikeAddress(text)) {
            return new Ip(HostSyntax.address(text)
                    .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not an IP address")));
        }
        return new Dns(text);
    }
}
