package io.plat.engine.webhook;

import io.plat.review.clientconfig.BearerToken;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.tls.ClientTls;
import java.net.URI;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a remote decider is.
 *
 * @param url an https URL, without a user name or password
 * @param tls verifies the decider and presents this server's certificate
 * @param token sent with every question; null for none
 */
public record Endpoint(URI url, SSLContext tls, @Nullable BearerToken token) {
    public Endpoint {
        Objects.requireNonNull(tls);
        if (!"https".equalsIgnoreCase(url.getScheme()) || url.getHost() == null || url.getRawUserInfo() != null) {
            throw new IllegalArgumentException("not an https URL with a host and nothing secret");
        }
    }

    /** The endpoint of a client configuration; the files of {@code tls} are reloaded by whoever opened it. */
    public static Endpoint of(ServerConnection connection, ClientTls tls) {
        return new Endpoint(connection.server(), tls.context(), connection.token());
    }
}
