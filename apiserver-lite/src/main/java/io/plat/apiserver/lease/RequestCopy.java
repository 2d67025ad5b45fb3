package io.plat.apiserver.lease;

import io.plat.apiserver.filter.IncomingRequest;
import io.plat.review.request.RequestInfo;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Copy of the parts of a request that determine its authorization, for a connection that became a WebSocket and no longer has a request.
 *
 * @param info the target, parsed once
 */
record RequestCopy(RequestInfo info, String peer, List<X509Certificate> certificates, List<Field> fields)
        implements IncomingRequest {
    record Field(String name, String value) {}

    static RequestCopy of(IncomingRequest request, RequestInfo info, Predicate<String> relevant) {
        var fields = new ArrayList<Field>();
        for (String name : request.headerNames()) {
            if (relevant.test(name)) {
                request.headers(name).forEach(value -> fields.add(new Field(name, value)));
            }
        }
        return new RequestCopy(info, request.peer(), List.copyOf(request.certificates()), List.copyOf(fields));
    }

    @Override
    public String method() {
        return info.method();
    }

    @Override
    public String rawPath() {
        return info.path();
    }

    @Override
    public @Nullable String rawQuery() {
        return null;
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

    @Override
    public byte[] body(int limit) {
        return new byte[0];
    }

    @Override
    public long ageNanos() {
        return 0;
    }

    /** Does nothing: the request does not complete while it is checked. */
    @Override
    public void onCompletion(Runnable action) {}

    @Override
    public IncomingRequest without(Predicate<String> hidden) {
        return new RequestCopy(
                info,
                peer,
                certificates,
                fields.stream().filter(field -> !hidden.test(field.name())).toList());
    }
}
