package io.plat.cli.server;

import io.plat.cli.process.CommandException;
import io.plat.process.Tasks;
import io.plat.review.UserInfo;
import io.plat.review.codec.MalformedResponseException;
import io.plat.review.codec.SelfReviewCodec;
import io.plat.review.source.Quoted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * HTTPS client of a server. Requests reuse one connection; redirects are not followed, nothing is sent twice, responses are bounded. Every
 * failure is a {@link CommandException} with the problem and a hint.
 */
public final class HttpsConnection {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int COMPLETION_MILLIS = 2_000;
    private static final int READ_MILLIS = 30_000;
    private static final int ALERT_MILLIS = 1_000;
    private static final int HTTPS = 443;
    private static final int ANSWER_BYTES = 32 << 20;

    /** Timeout of a complete response. */
    private static final long ANSWER_NANOS = Duration.ofMinutes(5).toNanos();

    private final URI server;
    private final Supplier<@Nullable SSLContext> fallback;
    private final @Nullable String token;
    private final Trace trace;
    private SSLContext tls;
    private boolean withShortTimeout;

    /**
     * Creates a client.
     *
     * @param server its https URL; a path in it precedes each request's path
     * @param tls trusted CAs and client certificate
     * @param token a bearer token, or null
     * @param trace receives requests and responses
     * @param fallback another context of the same material, for a failed handshake; or null
     */
    HttpsConnection(
            URI server, SSLContext tls, @Nullable String token, Trace trace, Supplier<@Nullable SSLContext> fallback) {
        this.server = Objects.requireNonNull(server);
        this.tls = Objects.requireNonNull(tls);
        this.fallback = fallback;
        this.token = token;
        this.trace = trace.of(token);
        // The JDK would retry a POST if a reused connection breaks.
        System.setProperty("sun.net.http.retryPost", "false");
        // Otherwise each connection would first create the default factory, which loads all authorities that Java
        // trusts.
        HttpsURLConnection.setDefaultSSLSocketFactory(tls.getSocketFactory());
    }

    /** Returns a client with a timeout for interactive completion. */
    public HttpsConnection withShortTimeout() {
        withShortTimeout = true;
        return this;
    }

    public URI server() {
        return server;
    }

    public ServerResponse get(String path) {
        return get(path, "application/json");
    }

    /**
     * Sends a GET.
     *
     * @param accept the header {@code Accept}
     */
    public ServerResponse get(String path, String accept) {
        return send(path, null, Map.of("Accept", List.of(accept)));
    }

    /** Posts JSON with additional headers. */
    public ServerResponse post(String path, byte[] body, Map<String, List<String>> fields) {
        Map<String, List<String>> all = new LinkedHashMap<>(fields);
        all.put("Content-Type", List.of("application/json"));
        all.put("Accept", List.of("application/json"));
        return send(path, body, all);
    }

    /** Decoder of a response. */
    @FunctionalInterface
    public interface Decoder<T> {
        T read(byte[] body) throws MalformedResponseException;
    }

    /**
     * Decodes the response to a review.
     *
     * @throws CommandException if it is a refusal, or not a review
     */
    public <T> DecodedResponse<T> read(ServerResponse answer, Decoder<T> reading) {
        if (!answer.succeeded()) {
            throw FailureText.by(server, answer);
        }
        try {
            return new DecodedResponse<>(reading.read(answer.body()), answer.body());
        } catch (MalformedResponseException e) {
            throw CommandException.undetermined(server + " did not respond with a review: " + e.getMessage());
        }
    }

    /**
     * Returns the caller's user name and groups, as the server sees them.
     *
     * @param fields additional headers, such as those for impersonation
     * @throws CommandException if the server refuses
     */
    public DecodedResponse<UserInfo> currentUser(Map<String, List<String>> fields) {
        return read(
                post(SelfReviewCodec.PATH, SelfReviewCodec.encodeRequest(), fields), SelfReviewCodec::decodeResponse);
    }

    private ServerResponse send(String path, byte @Nullable [] body, Map<String, List<String>> fields) {
        trace.request((body == null ? "GET " : "POST ") + server + path, body == null ? new byte[0] : body);
        ServerResponse answer;
        try {
            HttpsURLConnection request = sent(path, body, fields);
            int code = request.getResponseCode();
            answer = new ServerResponse(
                    code, Objects.requireNonNullElse(request.getContentType(), ""), readBody(request, code));
        } catch (IOException e) {
            throw CommandException.undetermined(explain(e));
        }
        trace.response(answer.code() + " " + answer.contentType(), answer.body());
        return answer;
    }

    /** Returns a sent request whose response has started. */
    private HttpsURLConnection sent(String path, byte @Nullable [] body, Map<String, List<String>> fields)
            throws IOException {
        try {
            HttpsURLConnection request = connected(path, body, fields);
            if (body != null) {
                try (OutputStream out = request.getOutputStream()) {
                    out.write(body);
                }
            }
            awaitHead(request, Duration.ofMillis(request.getReadTimeout()));
            return request;
        } catch (StackOverflowError _) {
            // The JDK's client recurses for each interim response.
            throw new IOException("too many interim responses (1xx)");
        } catch (SSLException | ConnectException | SocketTimeoutException | UnknownHostException specific) {
            throw specific;
        } catch (IOException aborted) {
            throw alertOf(aborted);
        }
    }

    /** Waits for the head of a response. The deadline closes the connection, as the read timeouts may add up to any duration. */
    static void awaitHead(HttpURLConnection request, Duration time) throws IOException {
        long began = System.nanoTime();
        Thread deadline = Tasks.platform("deadline", () -> {
            try {
                Thread.sleep(time);
                request.disconnect();
            } catch (InterruptedException inTime) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            request.getResponseCode();
        } catch (IOException e) {
            if (System.nanoTime() - began < time.toNanos()) {
                throw e;
            }
        } finally {
            deadline.interrupt();
        }
        // The JDK returns the code of an incomplete head, too.
        if (System.nanoTime() - began >= time.toNanos()) {
            throw new SocketTimeoutException("no complete response header within " + time.toMillis() + " ms");
        }
    }

    /**
     * Returns the reason why a connection was aborted. In TLS 1.3 a server verifies the client's certificate after the client has completed the
     * handshake, and its alert is lost if the client is still writing. So another connection is opened, for the handshake only.
     */
    private IOException alertOf(IOException aborted) {
        try (Socket plain = new DrainingSocket()) {
            plain.connect(address(server), CONNECT_MILLIS);
            plain.setSoTimeout(ALERT_MILLIS);
            try (Socket socket = tls.getSocketFactory().createSocket(plain, host(server), plain.getPort(), true)) {
                return socket.getInputStream().read() < 0 ? aborted : new IOException("an answer before any request");
            }
        } catch (SSLException rejection) {
            return rejection;
        } catch (IOException probeFailure) {
            aborted.addSuppressed(probeFailure);
            return aborted;
        }
    }

    /** Returns the host of a URL, without the brackets of an IPv6 address. */
    public static String host(URI url) {
        String host = url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Returns the address of an https URL, resolved. */
    public static InetSocketAddress address(URI url) {
        return new InetSocketAddress(host(url), url.getPort() < 0 ? HTTPS : url.getPort());
    }

    /** Returns a connected request of which nothing has been sent; if the handshake fails, the other context is tried. */
    private HttpsURLConnection connected(String path, byte @Nullable [] body, Map<String, List<String>> fields)
            throws IOException {
        try {
            return connect(path, body, fields);
        } catch (ConnectException | SocketTimeoutException | UnknownHostException unreachable) {
            throw unreachable;
        } catch (IOException failedHandshake) {
            SSLContext other = fallback.get();
            if (other == null) {
                throw failedHandshake;
            }
            tls = other;
            return connect(path, body, fields);
        }
    }

    private HttpsURLConnection connect(String path, byte @Nullable [] body, Map<String, List<String>> fields)
            throws IOException {
        HttpsURLConnection request = open(path);
        fields.forEach((name, values) -> values.forEach(value -> request.addRequestProperty(name, value)));
        if (body != null) {
            request.setRequestMethod("POST");
            request.setDoOutput(true);
            request.setFixedLengthStreamingMode(body.length);
        }
        request.connect();
        return request;
    }

    private HttpsURLConnection open(String path) throws IOException {
        String base = server.toString();
        URI target = URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
        if (!(target.toURL().openConnection() instanceof HttpsURLConnection request)) {
            throw new MalformedURLException("not an https URL: " + server);
        }
        request.setSSLSocketFactory(tls.getSocketFactory());
        request.setInstanceFollowRedirects(false);
        request.setConnectTimeout(withShortTimeout ? COMPLETION_MILLIS : CONNECT_MILLIS);
        request.setReadTimeout(withShortTimeout ? COMPLETION_MILLIS : READ_MILLIS);
        request.setRequestProperty("User-Agent", "plat");
        if (token != null) {
            request.setRequestProperty("Authorization", "Bearer " + token);
        }
        return request;
    }

    private static byte[] readBody(HttpURLConnection request, int code) throws IOException {
        String announced = request.getHeaderField("Content-Length");
        long length = request.getContentLengthLong();
        if (announced != null && (length < 0 || length > ANSWER_BYTES)) {
            throw new IOException("Content-Length: expected at most " + ANSWER_BYTES + ", found \"" + announced + '"');
        }
        try (InputStream body = code >= 400 ? request.getErrorStream() : request.getInputStream()) {
            return body == null ? new byte[0] : readBody(body, ANSWER_NANOS);
        }
    }

    /** Reads a response that may arrive slowly, within the timeout. */
    static byte[] readBody(InputStream body, long nanos) throws IOException {
        long began = System.nanoTime();
        var bytes = new ByteArrayOutputStream(1 << 12);
        byte[] piece = new byte[1 << 14];
        for (int length = body.read(piece); length >= 0; length = body.read(piece)) {
            bytes.write(piece, 0, length);
            if (bytes.size() > ANSWER_BYTES) {
                throw new IOException("the answer is larger than " + ANSWER_BYTES + " bytes");
            }
            if (System.nanoTime() - began > nanos) {
                throw new SocketTimeoutException("the answer was not complete after " + Duration.ofNanos(nanos));
            }
        }
        return bytes.toByteArray();
    }

    private String explain(IOException failure) {
        String where = server.getHost() + (server.getPort() < 0 ? "" : ":" + server.getPort());
        return switch (failure) {
            case UnknownHostException e -> "unknown host \"" + server.getHost() + "\" in the server URL " + server;
            case ConnectException e ->
                "cannot connect to " + where + ": " + message(e) + "; is the server running there?";
            case SocketTimeoutException e -> where + " did not answer in time: " + message(e);
            case SSLException e -> "no trusted connection to " + where + ": " + withAdvice(message(e));
            default -> "no answer from " + where + ": " + message(failure);
        };
    }

    private static String withAdvice(String problem) {
        if (problem.contains("certificate_unknown") || problem.contains("unknown_ca")) {
            return problem
                    + "; the server does not trust the issuer of the client certificate: give --client-certificate"
                    + " with --client-key, or another --context";
        }
        if (problem.contains("certificate_required")) {
            return problem + "; give --client-certificate with --client-key, or another --context";
        }
        if (problem.contains("unrecognized SSL message")) {
            return problem + "; does the server speak TLS on this port?";
        }
        return problem.contains("not a trusted authority")
                ? problem + "; give its CA bundle with --certificate-authority"
                : problem;
    }

    private static String message(Throwable failure) {
        return Quoted.oneLine(NativeTls.jdkMessage(Tasks.innermostMessage(failure)));
    }
}
