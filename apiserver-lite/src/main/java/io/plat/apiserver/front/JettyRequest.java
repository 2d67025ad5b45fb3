package io.plat.apiserver.front;

import io.plat.apiserver.filter.IncomingRequest;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.http.BoundedBody;
import io.plat.http.RequestClient;
import io.plat.http.RequestClient.PeerCertificates;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/** Request received by Jetty. */
final class JettyRequest implements IncomingRequest {
    private final Request request;
    private final Predicate<String> hidden;

    JettyRequest(Request request) {
        this(request, name -> false);
    }

    private JettyRequest(Request request, Predicate<String> hidden) {
        this.request = request;
        this.hidden = hidden;
    }

    @Override
    public IncomingRequest without(Predicate<String> names) {
        return new JettyRequest(request, hidden.or(names));
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    /** Returns the path as received, which Jetty keeps in addition to its normalized forms. */
    @Override
    public String rawPath() {
        String path = request.getHttpURI().getPath();
        return path == null ? "" : path;
    }

    @Override
    public @Nullable String rawQuery() {
        return request.getHttpURI().getQuery();
    }

    @Override
    public List<X509Certificate> certificates() {
        return PeerCertificates.of(request);
    }

    /** Decodes UTF-8, in which Kubernetes clients send names; Jetty decodes each byte as a character. */
    @Override
    public List<String> headers(String name) {
        return hidden.test(name) || !request.getHeaders().contains(name)
                ? List.of()
                : request.getHeaders().getFields(name).stream()
                        .map(HttpField::getValue)
                        .map(value -> value == null ? "" : utf8(value))
                        .toList();
    }

    private static String utf8(String bytes) {
        return bytes.chars().allMatch(c -> c < 0x80)
                ? bytes
                : new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** Nearly every field occurs once or not at all, which needs no collection. */
    @Override
    public String header(String name) {
        String all = "";
        boolean present = false;
        for (HttpField field : request.getHeaders()) {
            if (field.is(name) && !hidden.test(name)) {
                String value = field.getValue() == null ? "" : field.getValue();
                all = present ? all + ", " + value : value;
                present = true;
            }
        }
        return all;
    }

    @Override
    public Collection<String> headerNames() {
        return request.getHeaders().getFieldNamesCollection().stream()
                .filter(hidden.negate())
                .toList();
    }

    @Override
    public boolean hasHeader(Predicate<String> name) {
        for (HttpField field : request.getHeaders()) {
            if (name.test(field.getName()) && !hidden.test(field.getName())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public byte[] body(int limit) throws StatusException {
        RequestMemory.current().pause();
        byte[] body = receive(limit);
        if (body.length > 0) {
            RequestMemory.current().compute(RequestMemory.LARGE);
        }
        return body;
    }

    private byte[] receive(int limit) throws StatusException {
        CompletableFuture<byte[]> body = new CompletableFuture<>();
        BoundedBody.read(request, limit, new BoundedBody.Receiver() {
            @Override
            public void received(byte[] bytes, int length) {
                body.complete(bytes.length == length ? bytes : Arrays.copyOf(bytes, length));
            }

            @Override
            public void failed(Throwable cause) {
                body.completeExceptionally(cause);
            }
        });
        try {
            return body.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StatusException refused) {
                throw new StatusException(refused.status());
            }
            throw new StatusException(StatusReason.BAD_REQUEST, "the body of the request is incomplete");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");
        }
    }

    @Override
    public String peer() {
        return RequestClient.address(request);
    }

    @Override
    public long ageNanos() {
        return NanoTime.since(request.getHeadersNanoTime());
    }

    @Override
    public void onCompletion(Runnable action) {
        Request.addCompletionListener(request, failure -> action.run());
    }
}
