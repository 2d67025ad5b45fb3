package io.plat.http.authentication.oidc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.TokenJson;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * Fetches an issuer's keys by OpenID Connect Discovery 1.0: its configuration, which must name the same issuer, and the key set to which
 * it points. TLS only, without redirects, with limits on size and time of each document.
 */
public final class TlsKeySource implements RemoteKeySet.Source, AutoCloseable {
    /** Time limit for both documents together. */
    static final Duration DEADLINE = Duration.ofSeconds(5);

    private static final int MAX_BYTES = 1 << 20;
    private static final String CONFIGURATION = "/.well-known/openid-configuration";
    private final String issuer;
    private final HttpClient http;

    public TlsKeySource(String issuer, SSLContext tls) {
        this.issuer = issuer;
        this.http = HttpClient.newBuilder()
                .sslContext(tls)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(DEADLINE)
                .build();
    }

    @Override
    public KeySet fetch() throws UnusableKeysException, InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        String configuration = get(base + CONFIGURATION, end);
        return KeyFile.parseKey(get(keysUrl(configuration), end));
    }

    private String keysUrl(String configuration) throws UnusableKeysException {
        JsonNode document;
        try {
            document = TokenJson.MAPPER.readTree(configuration);
        } catch (JsonProcessingException e) {
            throw new UnusableKeysException("the issuer's configuration is not JSON");
        }
        if (!document.path("issuer").asText().equals(issuer)) {
            throw new UnusableKeysException("the configuration names another issuer than \"" + issuer + "\"");
        }
        return document.path("jwks_uri").asText();
    }

    private String get(String url, long end) throws UnusableKeysException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer = http.sendAsync(
                HttpRequest.newBuilder(secure(url)).build(),
                HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), MAX_BYTES));
        try {
            HttpResponse<byte[]> got = answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (got.statusCode() != 200) {
                throw new UnusableKeysException(url + ": answered " + got.statusCode());
            }
            return new String(got.body(), StandardCharsets.UTF_8);
        } catch (ExecutionException e) {
            throw new UnusableKeysException(url + ": " + e.getCause());
        } catch (TimeoutException e) {
            throw new UnusableKeysException(url + ": no answer within " + DEADLINE.toSeconds() + " s");
        } finally {
            answer.cancel(true);
        }
    }

    private static URI secure(String url) throws UnusableKeysException {
        try {
            URI uri = URI.create(url);
            if ("https".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // Reported below.
        }
        throw new UnusableKeysException("\"" + url + "\" is not an https URL");
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
