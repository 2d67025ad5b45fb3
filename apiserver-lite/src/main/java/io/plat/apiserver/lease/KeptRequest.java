package io.plat.apiserver.lease;

import io.plat.apiserver.filter.Incoming;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The part of a request that decides about it, kept beyond the request: a connection that became a WebSocket has none any more. */
final class KeptRequest implements Incoming {
    private final String method;
    private final String rawPath;
    private final @Nullable String rawQuery;
    private final String peer;
    private final List<X509Certificate> certificates;
    private final List<Field> fields = new ArrayList<>();

    private record Field(String name, String value) {}

    /**
     * A copy.
     *
     * @param deciding selects the header fields that matter, by name
     */
    KeptRequest(Incoming request, Predicate<String> deciding) {
        method = request.method();
        rawPath = request.rawPath();
        rawQuery = request.rawQuery();
        peer = request.peer();
        certificates = List.copyOf(request.certificates());
        for (String name : request.headerNames()) {
            if (deciding.test(name)) {
                request.headers(name).forEach(value -> fields.add(new Field(name, value)));
            }
        }
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String rawPath() {
        return rawPath;
    }

    @Override
    public @Nullable String rawQuery() {
        return rawQuery;
    }

    @Override
    public List<X509Certificate> certificates() {
        return certificates;
    }

    @Override
    public List<String> headers(String name) {
        return fields.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(Field::value)
                .toList();
    }

    @Override
    public String header(String name) {
        return String.join(", ", headers(name));
    }

    @Override
    public Collection<String> headerNames() {
        Collection<String> names = new LinkedHashSet<>();
        fields.forEach(field -> names.add(field.name()));
        return names;
    }

    /** The stream has no body. */
    @Override
    public byte[] body(int limit) {
        return new byte[0];
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public long ageNanos() {
        return 0;
    }

    /** Never over while it is judged. */
    @Override
    public void onCompletion(Runnable action) {}
}
