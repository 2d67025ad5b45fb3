package io.plat.apiserver.filter;

import io.plat.apiserver.selector.LabelSelector;
import io.plat.http.authentication.Credentials;
import io.plat.http.authentication.TestingCredentials;
import io.plat.review.UserInfo;
import io.plat.review.request.RequestInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A request without a connection. Counts the reads of its body. */
public final class TestingIncoming implements IncomingRequest {
    private final String method;
    private final String target;
    private final Map<String, List<String>> headers;
    private final List<Runnable> onCompletion;
    private final AtomicInteger bodyReads;
    private final Predicate<String> hidden;
    private byte[] body = new byte[0];
    private Credentials credentials = TestingCredentials.NONE;

    private TestingIncoming(String method, String target) {
        this.method = method;
        this.target = target;
        this.headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        this.onCompletion = new ArrayList<>();
        this.bodyReads = new AtomicInteger();
        this.hidden = name -> false;
    }

    private TestingIncoming(TestingIncoming whole, Predicate<String> hidden) {
        this.method = whole.method;
        this.target = whole.target;
        this.headers = whole.headers;
        this.onCompletion = whole.onCompletion;
        this.bodyReads = whole.bodyReads;
        this.hidden = hidden;
        this.body = whole.body;
        this.credentials = whole.credentials;
    }

    /** A request line. */
    public static TestingIncoming of(String method, String target) {
        return new TestingIncoming(method, target);
    }

    /** Adds a header. */
    public TestingIncoming header(String name, String value) {
        headers.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        return this;
    }

    /** Sets the body. */
    public TestingIncoming body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets the body. */
    public TestingIncoming body(byte[] bytes) {
        this.body = bytes;
        return this;
    }

    /** Sets the credentials. */
    public TestingIncoming credentials(Credentials given) {
        this.credentials = given;
        return this;
    }

    /** Returns the call after the first two filters, for a user. */
    public Call by(UserInfo user) throws StatusException {
        Call call = new Call(this);
        call.info(RequestInfo.parse(method, rawPath(), rawQuery(), LabelSelector::requirements));
        call.user(user);
        return call;
    }

    /** Returns the number of reads of the body. */
    public int bodyReads() {
        return bodyReads.get();
    }

    /** Ends the request. */
    public void complete() {
        onCompletion.forEach(Runnable::run);
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String rawPath() {
        int mark = target.indexOf('?');
        return mark < 0 ? target : target.substring(0, mark);
    }

    @Override
    public @Nullable String rawQuery() {
        int mark = target.indexOf('?');
        return mark < 0 ? null : target.substring(mark + 1);
    }

    @Override
    public List<X509Certificate> certificates() {
        return credentials.certificates();
    }

    @Override
    public String header(String name) {
        return String.join(", ", headers(name));
    }

    @Override
    public List<String> headers(String name) {
        return hidden.test(name) ? List.of() : headers.getOrDefault(name, credentials.headers(name));
    }

    @Override
    public Collection<String> headerNames() {
        Collection<String> names = headers.isEmpty() ? credentials.headerNames() : headers.keySet();
        return names.stream().filter(hidden.negate()).toList();
    }

    @Override
    public byte[] body(int limit) throws StatusException {
        bodyReads.incrementAndGet();
        if (body.length > limit) {
            throw new StatusException(Status.of(StatusReason.REQUEST_ENTITY_TOO_LARGE, "too large"));
        }
        return body;
    }

    @Override
    public String peer() {
        return "192.0.2.7";
    }

    @Override
    public long ageNanos() {
        return 2_000_000;
    }

    @Override
    public void onCompletion(Runnable action) {
        onCompletion.add(action);
    }

    @Override
    public IncomingRequest without(Predicate<String> hiddenNames) {
        return new TestingIncoming(this, hidden.or(hiddenNames));
    }
}
