package io.plat.tests.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** An HTTPS client with or without a certificate, for tests of codes, headers and bodies. */
public final class HttpsClient implements AutoCloseable {
    /**
     * Offered protocols and cipher suites: all in the full run, otherwise only ChaCha20. AES takes four times as long without the C2
     * compiler, which only the full run has; third-party clients and the programs use it in every run.
     */
    private static final SSLParameters OFFERED = Boolean.getBoolean("plat.full")
            ? new SSLParameters()
            : new SSLParameters(new String[] {"TLS_CHACHA20_POLY1305_SHA256"});

    private final HttpClient http;
    private final List<String> headers;

    private HttpsClient(HttpClient http, List<String> headers) {
        this.http = http;
        this.headers = List.copyOf(headers);
    }

    /**
     * Creates a client that trusts the authority.
     *
     * @param name file name of its certificate; null for none
     */
    public static HttpsClient of(TestPki pki, @Nullable String name) {
        return new HttpsClient(
                HttpClient.newBuilder()
                        .sslContext(pki.tls(name))
                        .sslParameters(OFFERED)
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(10))
                        .build(),
                List.of());
    }

    /** Returns a client with an additional header. */
    public HttpsClient withHeader(String name, String value) {
        List<String> more = new ArrayList<>(headers);
        more.addAll(List.of(name, value));
        return new HttpsClient(http, more);
    }

    /** Returns the JDK's client, for streaming. */
    public HttpClient http() {
        return http;
    }

    /** Sends a GET. */
    public HttpResponse<String> get(URI target) throws IOException {
        return send(request(target).GET());
    }

    /** Sends a GET; the body is not decompressed. */
    public HttpResponse<byte[]> getBytes(URI target) throws IOException {
        return send(request(target).GET(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Sends a POST of JSON. */
    public HttpResponse<String> post(URI target, String json) throws IOException {
        return send(request(target)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    /** Sends a request, with JSON unless the body is null. */
    public HttpResponse<String> send(String method, URI target, @Nullable String json) throws IOException {
        if (json == null) {
            return send(request(target).method(method, HttpRequest.BodyPublishers.noBody()));
        }
        return send(request(target)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json)));
    }

    /** Sends a request with a body of any type. */
    public HttpResponse<String> send(String method, URI target, String type, String body) throws IOException {
        return send(
                request(target).header("Content-Type", type).method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(URI target) {
        HttpRequest.Builder request = HttpRequest.newBuilder(target).timeout(Duration.ofSeconds(30));
        for (int i = 0; i < headers.size(); i += 2) {
            request.header(headers.get(i), headers.get(i + 1));
        }
        return request;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        return send(request, HttpResponse.BodyHandlers.ofString());
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
            throws IOException {
        try {
            return http.send(request.build(), handler);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
