package io.plat.apiserver.filter;

import io.plat.apiserver.audit.AuditRecord;
import io.plat.apiserver.selector.LabelSelector;
import io.plat.http.RequestClient;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.request.RequestInfo;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Request in progress, with the results of its filters. Belongs to one thread at a time. */
public final class Call {
    /** Age of an authorization from which it is renewed, in nanoseconds: a revocation takes effect within a second. */
    public static final long RENEWED_AFTER = 500_000_000;

    /** Maximum time of several permission checks for one purpose, in nanoseconds: the first result may be outdated at the end. */
    public static final long CHECKS_LIMIT = 5_000_000_000L;

    private final String id;
    private final IncomingRequest received;
    private final Renewal renewal;
    private IncomingRequest incoming;
    private @Nullable RequestInfo info;
    private @Nullable UserInfo authenticated;
    private @Nullable UserInfo user;
    private @Nullable AuditRecord auditRecord;
    private @Nullable LongAdder inProgress;
    private int passed;
    private volatile long validAt = System.nanoTime();
    private final List<String> warnings = new ArrayList<>(0);

    /** Repeated authorization of an admitted request. */
    @FunctionalInterface
    public interface Renewal {
        /** Authenticates and authorizes a request again. */
        void renew(Call admitted) throws StatusException;
    }

    public Call(IncomingRequest incoming) {
        this(incoming, "", admitted -> {});
    }

    /** Creates a call whose target was parsed before. */
    public Call(IncomingRequest incoming, RequestInfo info) {
        this(incoming);
        info(info);
    }

    /** @param id audit ID */
    public Call(IncomingRequest incoming, String id, Renewal renewal) {
        this.received = Objects.requireNonNull(incoming);
        this.incoming = incoming;
        this.id = Objects.requireNonNull(id);
        this.renewal = renewal;
    }

    public String id() {
        return id;
    }

    /** Returns the audit record; null if there is none. Available after {@link AuditFilter}. */
    public @Nullable AuditRecord auditRecord() {
        return auditRecord;
    }

    /** Adds to the audit record, if there is one. */
    public void audit(Consumer<AuditRecord> addition) {
        if (auditRecord != null) {
            addition.accept(auditRecord);
        }
    }

    void auditRecord(@Nullable AuditRecord known) {
        auditRecord = known;
    }

    /** Adds a warning to the response. Thread-safe. */
    public void warn(String text) {
        synchronized (warnings) {
            warnings.add(text);
        }
    }

    /** Returns the warnings of the response, in addition to those about the returned object. */
    public List<String> warnings() {
        synchronized (warnings) {
            return List.copyOf(warnings);
        }
    }

    /** Returns the request as it was received, with all its header fields. */
    public IncomingRequest received() {
        return received;
    }

    /**
     * Reads the whole body; blocks. Clients choose how long that takes, so the request is authorized again if it was slow.
     *
     * @param limit maximum size in bytes
     * @throws StatusException 413 if it is larger, 400 if it is incomplete, or the reason for which the request is rejected now
     */
    public byte[] body(int limit) throws StatusException {
        byte[] body = incoming.body(limit);
        renew();
        return body;
    }

    /**
     * Authenticates and authorizes the admitted request again, unless that began a short time ago. Thread-safe.
     *
     * @throws StatusException if it would be rejected now
     */
    public void renew() throws StatusException {
        long now = System.nanoTime();
        if (now - validAt > RENEWED_AFTER) {
            renewal.renew(this);
            validAt = now;
        }
    }

    /** Returns the request without hidden header fields. */
    public IncomingRequest incoming() {
        return incoming;
    }

    void hide(Predicate<String> headerName) {
        incoming = incoming.without(headerName);
    }

    /**
     * Filter that parses the target of a request.
     *
     * @throws StatusException 400 if it is malformed or ambiguous
     */
    public static void parseTarget(Call call) throws StatusException {
        IncomingRequest from = call.incoming;
        call.info(RequestInfo.parse(from.method(), from.rawPath(), from.rawQuery(), LabelSelector::requirements));
    }

    /** Returns the request info; available after {@link #parseTarget}. */
    public RequestInfo info() {
        if (info == null) {
            throw new IllegalStateException("the request info has not been parsed yet");
        }
        return info;
    }

    /** Returns the request info; null if the target was malformed or not parsed yet. */
    public @Nullable RequestInfo parsedInfo() {
        return info;
    }

    void info(RequestInfo known) {
        info = Objects.requireNonNull(known);
    }

    /** Returns the effective user: the caller, or the user it impersonates. Available after {@link AuthenticationFilter}. */
    public UserInfo user() {
        if (user == null) {
            throw new IllegalStateException("the request has not been authenticated yet");
        }
        return user;
    }

    void user(UserInfo known) {
        authenticated = Objects.requireNonNull(known);
        user = known;
    }

    /** Returns the authenticated caller; differs from {@link #user} under impersonation. */
    public UserInfo authenticated() {
        if (authenticated == null) {
            throw new IllegalStateException("the request has not been authenticated yet");
        }
        return authenticated;
    }

    boolean isAuthenticated() {
        return authenticated != null;
    }

    /** Returns the key for fair sharing of limits: the name of the caller, or the source address without one. */
    public String client() {
        String name = authenticated().client();
        return name.equals(UserInfo.ANONYMOUS) ? name + "/" + RequestClient.network(incoming.peer()) : name;
    }

    void impersonate(UserInfo effective) {
        user = Objects.requireNonNull(effective);
        if (auditRecord != null) {
            auditRecord.impersonated(effective);
        }
    }

    /** Counts the request as in flight until it is {@linkplain #complete complete}. */
    void inProgress(LongAdder count) {
        count.increment();
        inProgress = count;
    }

    public void complete() {
        if (inProgress != null) {
            inProgress.decrement();
            inProgress = null;
        }
    }

    /**
     * Marks the request as authorized now, unless its earlier results, the user and the impersonation, may be outdated.
     *
     * @param begun {@link System#nanoTime} at which the authorization began
     */
    void authorized(long begun) {
        if (begun - validAt <= RENEWED_AFTER) {
            validAt = System.nanoTime();
        }
    }

    int passed() {
        return passed;
    }

    void pass() {
        passed++;
    }

    /** Returns the attributes for the authorizer; available after {@link AuthenticationFilter}. */
    public Attributes attributes() {
        return new Attributes(user(), info().access());
    }
}
