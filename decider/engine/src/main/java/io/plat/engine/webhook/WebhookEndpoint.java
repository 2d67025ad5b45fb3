package io.plat.engine.webhook;

import io.plat.client.remote.Endpoint;
import io.plat.review.ReviewVersion;
import io.plat.review.clientconfig.BearerToken;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Endpoints from client configuration files. */
public final class WebhookEndpoint {
    /** Review paths of a decider (contract, "decider"), after an optional prefix of a proxy. */
    private static final Pattern REVIEW_PATH =
            Pattern.compile("(.*?)(?:/apis/[^/]+/[^/]+/subjectaccessreviews|/authorize|/)?");

    private WebhookEndpoint() {}

    /** Returns the endpoint of a client configuration; the caller reloads the files of {@code tls}. */
    public static Endpoint of(ServerConnection connection, ClientTls tls) {
        return new Endpoint(connection.server(), tls::context, token(connection.token()));
    }

    static Endpoint.@Nullable Token token(@Nullable BearerToken token) {
        return token == null ? null : () -> read(token);
    }

    private static String read(BearerToken token) throws IOException {
        try {
            return token.read();
        } catch (ProblemsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns the URL of an explaining type: on the same server and below the same prefix as the decisions. */
    static URI explanationUrl(URI url, String resource, ReviewVersion version) {
        Matcher reviewPath = REVIEW_PATH.matcher(url.getRawPath() == null ? "" : url.getRawPath());
        String prefix = reviewPath.matches() ? reviewPath.group(1) : "";
        return url.resolve(prefix + "/apis/" + version.apiVersion() + "/" + resource);
    }
}
