package io.plat.http;

import java.net.InetAddress;
import java.util.Set;

/**
 * Address and limits of a server.
 *
 * @param bindAddress the local address
 * @param port the port; 0 picks a free one
 * @param limits limits on one client
 * @param http2 whether HTTP/2 is offered in addition to HTTP/1.1
 * @param allowedOrigins additional origins whose pages may send any request
 */
public record HttpsSettings(
        InetAddress bindAddress, int port, HttpLimits limits, boolean http2, Set<WebOrigin> allowedOrigins) {
    public HttpsSettings {
        allowedOrigins = Set.copyOf(allowedOrigins);
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("no port: " + port);
        }
    }
}
