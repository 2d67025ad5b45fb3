package io.plat.apiserver.filter;

import io.plat.review.status.StatusException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Request without header fields that were processed and must not be visible any more.
 *
 * @param hidden predicate of hidden field names, as sent
 */
record HiddenHeaders(IncomingRequest whole, Predicate<String> hidden) implements IncomingRequest {
    @Override
    public String method() {
        return whole.method();
    }

    @Override
    public String rawPath() {
        return whole.rawPath();
    }

    @Override
    public @Nullable String rawQuery() {
        return whole.rawQuery();
    }

    @Override
    public List<X509Certificate> certificates() {
        return whole.certificates();
    }

    @Override
    public String header(String name) {
        return hidden.test(name) ? "" : whole.header(name);
    }

    @Override
    public List<String> headers(String name) {
        return hidden.test(name) ? List.of() : whole.headers(name);
    }

    @Override
    public Collection<String> headerNames() {
        return whole.headerNames().stream().filter(hidden.negate()).toList();
    }

    @Override
    public byte[] body(int limit) throws StatusException {
        return whole.body(limit);
    }

    @Override
    public String peer() {
        return whole.peer();
    }

    @Override
    public long ageNanos() {
        return whole.ageNanos();
    }

    @Override
    public void onCompletion(Runnable action) {
        whole.onCompletion(action);
    }
}
