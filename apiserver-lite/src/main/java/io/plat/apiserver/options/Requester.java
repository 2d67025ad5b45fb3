package io.plat.apiserver.options;

import io.plat.review.UserInfo;

/** The user on whose behalf a write happens, and the request's answer and audit events, to which admission adds. */
public interface Requester {
    /** The user. */
    UserInfo user();

    /** Adds a warning to the answer, whether or not the request succeeds. */
    void warn(String text);

    /** Adds an annotation to the request's audit events. */
    void annotate(String key, String value);

    /** A user whose answers and audit events nobody sees. */
    static Requester of(UserInfo user) {
        return new Requester() {
            @Override
            public UserInfo user() {
                return user;
            }

            @Override
            public void warn(String text) {}

            @Override
            public void annotate(String key, String value) {}
        };
    }
}
