package io.plat.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.io.EndPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests without TLS, as of a URL with {@code http:}. They get the response of Go's servers, since clients cannot show an alert of TLS; but a server
 * that requires client certificates sends no byte of HTTP without one (contract, "decider").
 */
final class PlaintextHttp {
    private static final Logger LOG = LoggerFactory.getLogger(PlaintextHttp.class);

    /** Beginnings of requests, each as long as the header of a TLS record. */
    private static final Set<String> BEGINNINGS = Set.of("GET /", "HEAD ", "POST ", "PUT /", "OPTIO");

    private static final int HEADER = 5;

    private static final String RESPONSE =
            "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

    private PlaintextHttp() {}

    /** Returns whether the first bytes of a connection begin a request. */
    static boolean begins(ByteBuffer input, SSLEngine engine) {
        if (engine.getNeedClientAuth()
                || input.remaining() < HEADER
                || !engine.getSession().getProtocol().equals("NONE")) {
            return false;
        }
        byte[] header = new byte[HEADER];
        input.get(input.position(), header);
        return BEGINNINGS.contains(new String(header, StandardCharsets.ISO_8859_1));
    }

    /** Responds, as far as this is possible without waiting, and ends the connection's output. */
    static void refuse(EndPoint client) {
        try {
            client.flush(ByteBuffer.wrap(RESPONSE.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException closed) {
            LOG.debug("a client without TLS closed its connection", closed);
        }
        client.shutdownOutput();
    }
}
