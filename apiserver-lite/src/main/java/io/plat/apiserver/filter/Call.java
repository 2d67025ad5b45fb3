package io.plat.apiserver.filter;

import io.plat.apiserver.request.RequestInfo;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request on its way: what came in, and what the filters found out about it. Belongs to one thread at a time. */
public final class Call {
    private final Incoming incoming;
    private @Nullable RequestInfo info;
    private @Nullable UserInfo user;

    /** A request of which nothing is known yet. */
    public Call(Incoming incoming) {
        this.incoming = Objects.requireNonNull(incoming);
    }

    /** The request as it was delivered. */
    public Incoming incoming() {
        return incoming;
    }

    /** What it asks for; known behind {@link RequestInfoFilter}. */
    public RequestInfo info() {
        if (info == null) {
            throw new IllegalStateException("the request has not been looked at yet");
        }
        return info;
    }

    void info(RequestInfo known) {
        info = Objects.requireNonNull(known);
    }

    /** Who asks; known behind {@link AuthenticationFilter}. */
    public UserInfo user() {
        if (user == null) {
            throw new IllegalStateException("the request has not been authenticated yet");
        }
        return user;
    }

    void user(UserInfo known) {
        user = Objects.requireNonNull(known);
    }

    /** The question for the authorizer; known behind {@link AuthenticationFilter}. */
    public Attributes attributes() {
        return new Attributes(user(), info().access());
    }
}
