package io.plat.client.remote;

import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Location and credentials of a decider.
 *
 * @param url an https URL, without a user name or password
 * @param tls supplies the context with trusted CAs and client certificate; connections of a previously supplied one are not reused
 * @param token sent with every request; null for none
 */
public record Endpoint(
        URI url, Supplier<SSLContext> tls, @Nullable Token token) {
    public Endpoint {
        Objects.requireNonNull(tls);
        if (!"https".equalsIgnoreCase(url.getScheme()) || url.getHost() == null || url.getRawUserInfo() != null) {
            throw new IllegalArgumentException("not an https URL with a host and nothing secret");
        }
    }

    /** A bearer token, which may change. */
    @FunctionalInterface
    public interface Token {
        /**
         * Returns the current token.
         *
         * @throws IOException with one line, without the token, if it cannot be read
         */
        String read() throws IOException;
    }

    /** Returns the URL of the revision stream. */
    URI revisions() {
        String path = url.getRawPath();
        int api = path.indexOf("/apis/");
        String base = api >= 0 ? path.substring(0, api + 1) : path.substring(0, path.lastIndexOf('/') + 1);
        return url.resolve(base.isEmpty() ? "/revisions" : base + "revisions");
    }
}
