package io.plat.apiserver.filter;

import io.plat.apiserver.audit.Audited;
import io.plat.apiserver.request.RequestInfo;
import io.plat.http.RequestClient;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A request on its way: what came in, and what the filters found out about it. Belongs to one thread at a time. */
public final class Call {
    private final String id;
    private Incoming incoming;
    private @Nullable RequestInfo info;
    private @Nullable UserInfo authenticated;
    private @Nullable UserInfo user;
    private @Nullable Audited audited;
    private @Nullable LongAdder underway;
    private int passed;
    private final List<String> warnings = new ArrayList<>(0);

    /** A request of which nothing is known yet. */
    public Call(Incoming incoming) {
        this(incoming, "");
    }

    /**
     * The same for a request that has an id.
     *
     * @param id the id that its answer carries
     */
    public Call(Incoming incoming, String id) {
        this.incoming = Objects.requireNonNull(incoming);
        this.id = Objects.requireNonNull(id);
    }

    /** The id that its answer carries. */
    public String id() {
        return id;
    }

    /** What its audit events are made of; null where none are recorded. Known behind {@link AuditFilter}. */
    public @Nullable Audited audited() {
        return audited;
    }

    void audited(@Nullable Audited known) {
        audited = known;
    }

    /** Adds a warning to its answer. For any number of threads. */
    public void warn(String text) {
        synchronized (warnings) {
            warnings.add(text);
        }
    }

    /** The warnings that its answer carries, beside those about the object that is answered. */
    public List<String> warnings() {
        synchronized (warnings) {
            return List.copyOf(warnings);
        }
    }

    /** The request as it was delivered, but for header fields that a filter has dealt with. */
    public Incoming incoming() {
        return incoming;
    }

    /** Has nobody see the header fields of some names any more. */
    void hide(Predicate<String> headerName) {
        incoming = new HiddenHeaders(incoming, headerName);
    }

    /** What it asks for; known behind {@link RequestInfoFilter}. */
    public RequestInfo info() {
        if (info == null) {
            throw new IllegalStateException("the request has not been looked at yet");
        }
        return info;
    }

    /** The same; null where it could not be understood, or nobody has looked yet. */
    public @Nullable RequestInfo understood() {
        return info;
    }

    void info(RequestInfo known) {
        info = Objects.requireNonNull(known);
    }

    /** As whom the request is made: whoever asks, or whom they impersonate. Known behind {@link AuthenticationFilter}. */
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

    /** Who asks: whose credential it was. Another than {@link #user} where that one is impersonated. */
    public UserInfo authenticated() {
        if (authenticated == null) {
            throw new IllegalStateException("the request has not been authenticated yet");
        }
        return authenticated;
    }

    /** Whether the user is known. */
    boolean isAuthenticated() {
        return authenticated != null;
    }

    /** The name that shares of limits are counted by: whose credential it was, or where it came from with none. */
    public String client() {
        String name = authenticated().name();
        return name.equals(UserInfo.ANONYMOUS) ? name + "/" + RequestClient.network(incoming.peer()) : name;
    }

    /** Has the request made as somebody else; who asks stays known. */
    void impersonate(UserInfo effective) {
        user = Objects.requireNonNull(effective);
        if (audited != null) {
            audited.impersonated(effective);
        }
    }

    /** Has it counted as under way until it is {@linkplain #over over}. */
    void underway(LongAdder count) {
        count.increment();
        underway = count;
    }

    /** It has its answer. */
    public void over() {
        if (underway != null) {
            underway.decrement();
            underway = null;
        }
    }

    /** How many filters have let it pass. */
    int passed() {
        return passed;
    }

    /** One more filter has let it pass. */
    void pass() {
        passed++;
    }

    /** The question for the authorizer; known behind {@link AuthenticationFilter}. */
    public Attributes attributes() {
        return new Attributes(user(), info().access());
    }
}
