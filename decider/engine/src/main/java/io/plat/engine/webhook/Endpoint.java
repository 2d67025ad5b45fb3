package io.plat.engine.webhook;

import io.plat.review.ReviewKind;
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
 * Where a remote decider is.
 *
 * @param url an https URL, without a user name or password
 * @param tls verifies the decider and presents this server's certificate
 * @param token sent with every question; null for none
 */
public record Endpoint(URI url, SSLContext tls, @Nullable BearerToken token) {
    /** The paths at which a decider takes reviews (contract, "decider"), behind whatever prefix a proxy adds. */
    private static final Pattern DECIDING =
            Pattern.compile("(.*?)(?:/apis/[^/]+/[^/]+/subjectaccessreviews|/authorize|/)?");

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

    /** Where the decider explains: on the same server and below the same prefix as where it decides. */
    URI explaining(ReviewKind kind, ReviewVersion version) {
        Matcher deciding = DECIDING.matcher(url.getRawPath() == null ? "" : url.getRawPath());
        String prefix = deciding.matches() ? deciding.group(1) : "";
        return url.resolve(prefix + "/apis/" + version.apiVersion() + "/" + kind.resource());
    }

    /** Where the decider offers its revisions. */
    URI revisions() {
        String path = url.getRawPath();
        int api = path.indexOf("/apis/");
        String base = api >= 0 ? path.substring(0, api + 1) : path.substring(0, path.lastIndexOf('/') + 1);
        return url.resolve(base.isEmpty() ? "/revisions" : base + "revisions");
    }
}
