package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.served.ServedJson;
import io.plat.review.clientconfig.BearerToken;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 over TLS with {@code HttpsURLConnection}, which starts faster than the JDK's newer client, and whose blocked reads end when their virtual
 * thread is interrupted. Redirects and proxy settings are ignored, as either would let a third party supply the policy.
 */
final class HttpsTransport implements Transport {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int MAX_WAIT_SECONDS = 60;

    private final String base;
    private final SSLContext tls;
    private final @Nullable BearerToken token;

    HttpsTransport(URI server, SSLContext tls, @Nullable BearerToken token) {
        String url = server.toString();
        this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.tls = tls;
        this.token = token;
    }

    @Override
    public Answer get(String target, Duration silence) throws IOException {
        HttpsURLConnection request = open(target);
        request.setReadTimeout((int) silence.toMillis());
        request.setRequestProperty("Accept", ServedJson.MEDIA_TYPE);
        try {
            int code = request.getResponseCode();
            InputStream body = code >= 400 ? request.getErrorStream() : request.getInputStream();
            return new Received(request, code, body == null ? InputStream.nullInputStream() : body);
        } catch (IOException failed) {
            request.disconnect();
            throw failed;
        }
    }

    private HttpsURLConnection open(String target) throws IOException {
        if (!(URI.create(base + target).toURL().openConnection(Proxy.NO_PROXY) instanceof HttpsURLConnection request)) {
            throw new MalformedURLException("not an https URL");
        }
        request.setSSLSocketFactory(tls.getSocketFactory());
        request.setInstanceFollowRedirects(false);
        request.setUseCaches(false);
        request.setConnectTimeout((int) CONNECT.toMillis());
        request.setRequestProperty("User-Agent", "plat");
        if (token != null) {
            try {
                request.setRequestProperty("Authorization", "Bearer " + token.read());
            } catch (ProblemsException unusable) {
                throw new IOException(Quoted.oneLine(String.valueOf(unusable.getMessage())), unusable);
            }
        }
        return request;
    }

    private record Received(HttpsURLConnection request, int code, InputStream body) implements Answer {
        @Override
        public String contentType() {
            return Objects.requireNonNullElse(request.getContentType(), "");
        }

        @Override
        public Duration retryAfter() {
            String value = Objects.requireNonNullElse(request.getHeaderField("Retry-After"), "");
            boolean seconds = value.matches("[0-9]{1,4}");
            return Duration.ofSeconds(seconds ? Math.min(Integer.parseInt(value), MAX_WAIT_SECONDS) : 0);
        }

        /** Closes the body: the JDK reuses the connection if it was read to its end, or nearly so. */
        @Override
        public void close() {
            try {
                body.close();
            } catch (IOException _) {
                request.disconnect();
            }
        }
    }
}
