package io.plat.review.clientconfig;

import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import io.plat.tls.ReloadListener;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Address of a server, its trusted CAs and the credentials.
 *
 * @param where the cluster in the file, for messages
 * @param server the server's URL, https with a host, without user, query and fragment
 * @param authorities CA bundle that must have issued the server's certificate; null if the file has none
 * @param serverName the name that the server's certificate must have, or {@code ""} for the host of the URL
 * @param certificate the client's chain; null for none
 * @param key its private key; null if and only if {@code certificate} is
 * @param token the bearer token; null for none
 * @param namespace the default namespace, or {@code ""}
 */
public record ServerConnection(
        Location where,
        URI server,
        @Nullable PemSource authorities,
        String serverName,
        @Nullable PemSource certificate,
        @Nullable PemSource key,
        @Nullable BearerToken token,
        String namespace) {
    public ServerConnection {
        if (!"https".equalsIgnoreCase(server.getScheme()) || server.getHost() == null) {
            throw new IllegalArgumentException("not an https URL with a host");
        }
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("a certificate and its key are given together or not at all");
        }
    }

    /** Parses an https URL with a host, without user, query and fragment. */
    public static Optional<URI> url(String text) {
        try {
            URI url = new URI(text);
            boolean usable = "https".equalsIgnoreCase(url.getScheme())
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null;
            return usable ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /** Returns the TLS configuration. */
    public ClientTls.Config tls() {
        return new ClientTls.Config(authorities, certificate, key, serverName.isEmpty() ? null : serverName);
    }

    /**
     * Opens the TLS configuration, whose files are reloaded until it is closed.
     *
     * @param reloads listener for changed certificates
     * @throws ProblemsException if a file is invalid
     */
    public ClientTls openTls(ReloadListener reloads, InstantSource clock) throws ProblemsException {
        try {
            return ClientTls.open(tls(), reloads, clock);
        } catch (PemException unusable) {
            throw new ProblemsException(new Problem(where, String.valueOf(unusable.getMessage())));
        }
    }
}
