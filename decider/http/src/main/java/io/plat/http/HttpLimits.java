package io.plat.http;

import java.time.Duration;

/**
 * Limits on the resources of one client.
 *
 * @param requestHeaderBytes maximum size of request line and header fields; the response beyond it is 414 or 431
 * @param requestHeaders maximum number of header fields; the response beyond it is 431
 * @param bodyBytes maximum size of a request body; the response beyond it is 413
 * @param idleTimeout maximum idle time of a connection
 * @param requestTimeout maximum time from a request's first byte to its last; a slower connection is closed. Also applies to the TLS handshake
 * @param connections maximum number of connections, fewer if the process may open few files; client addresses share them
 */
public record HttpLimits(
        int requestHeaderBytes,
        int requestHeaders,
        int bodyBytes,
        Duration idleTimeout,
        Duration requestTimeout,
        int connections) {
    /** Limits like those of kube-apiserver: bodies of 3 MiB, headers of 64 KiB. */
    public static final HttpLimits DEFAULT =
            new HttpLimits(64 * 1024, 200, 3 * 1024 * 1024, Duration.ofSeconds(90), Duration.ofSeconds(30), 20_000);

    public HttpLimits {
        if (requestHeaderBytes < 1 || requestHeaders < 1 || bodyBytes < 1 || connections < 1) {
            throw new IllegalArgumentException("a limit must be positive");
        }
        if (idleTimeout.toMillis() < 1 || requestTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("a timeout must be at least a millisecond");
        }
    }
}
