package io.plat.tests.hostile;

import java.nio.charset.StandardCharsets;

/**
 * Bytes that one client sends over one connection.
 *
 * @param family the kind of attack
 * @param protocol the protocol that the client offers
 * @param text everything that is sent behind the handshake, and behind the connection preface in HTTP/2, in ISO 8859-1
 * @param forbidden whether nothing in it may be answered 2xx
 */
record HostileRequest(String family, Protocol protocol, String text, boolean forbidden) {
    HostileRequest(String family, Protocol protocol, byte[] bytes, boolean forbidden) {
        this(family, protocol, new String(bytes, StandardCharsets.ISO_8859_1), forbidden);
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Protocols that both servers speak. */
    enum Protocol {
        HTTP_1_1,
        HTTP_2
    }
}
