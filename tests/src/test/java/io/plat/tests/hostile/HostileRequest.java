package io.plat.tests.hostile;

import java.nio.charset.StandardCharsets;

/**
 * Data that a client sends over one connection.
 *
 * @param family kind of attack
 * @param protocol offered protocol
 * @param text data after the handshake, and after the connection preface in HTTP/2, in ISO 8859-1
 * @param forbidden whether it must not receive a 2xx response
 */
record HostileRequest(String family, Protocol protocol, String text, boolean forbidden) {
    HostileRequest(String family, Protocol protocol, byte[] bytes, boolean forbidden) {
        this(family, protocol, new String(bytes, StandardCharsets.ISO_8859_1), forbidden);
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Protocols of both servers. */
    enum Protocol {
        HTTP_1_1,
        HTTP_2
    }
}
