package io.plat.engine.webhook;

import io.plat.review.ReviewVersion;
import io.plat.review.clientconfig.BearerToken;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.tls.ClientTls;
import java.net.URI;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Location and credentials of a remote decider.
 *
 * @param url an https URL, without a user name or password
 * @param tls verifies the decider and has this server's certificate
 * @param token sent with every request; null for none
 */
public record Endpoint(URI url, SSLContext tls, @Nullable BearerToken token) {
    /** Review paths of a decider (contract, "decider"), behind any prefix that a proxy adds. */
    private static final Pattern DECIDING =
            Pattern.compile("(.*?)(?:/apis/[^/]+/[^/]+/subjectaccessreviews|/authorize|/)?");

    public Endpoint {
        Objects.requireNonNull(tls);
        if (!"https".equalsIgnoreCase(url.getScheme()) || url.getHost() == null || url.getRawUserInfo() != null) {
            throw new IllegalArgumentException("not an https URL with a host and nothing secret");
        }
    }

    /** Returns the endpoint of a client configuration; the caller reloads the files of {@code tls}. */
    public static Endpoint of(ServerConnection connection, ClientTls tls) {
        return new Endpoint(connection.server(), tls.context(), connection.token());
    }

    /** Returns the URL of an explaining type: on the same server and below the same prefix as the decisions. */
    URI explaining(String resource, ReviewVersion version) {
        Matcher deciding = DECIDING.matcher(url.getRawPath() == null ? "" : url.getRawPath());
        String prefix = deciding.matches() ? deciding.group(1) : "";
        return url.resolve(prefix + "/apis/" + version.apiVersion() + "/" + resource);
    }

    /** Returns the URL of the revision stream. */
    URI revisions() {
        String path = url.getRawPath();
        int api = path.indexOf("/apis/");
        String base = api >= 0 ? path.substring(0, api + 1) : path.substring(0, path.lastIndexOf('/') + 1);
        return url.resolve(base.isEmpty() ? "/revisions" : base + "revisions");
    }
}
