package io.plat.apiserver.options;

import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.List;

/** Requesting user of a write, and access to the warnings and audit events of the request. */
public interface Requester {
    UserInfo user();

    /**
     * Requires that the user still has the permission for the request: called before each write, which may come long after the request was
     * authorized, or be one of many.
     */
    default void requirePermission() throws StatusException {}

    /** Adds a warning to the response, whether or not the request succeeds. */
    default void warn(String text) {}

    /** Adds an annotation to the request's audit events. */
    default void annotate(String key, String value) {}

    /** Returns the service account of a Kubernetes controller whose work this server does. */
    static Requester ofController(String name) {
        return of(new UserInfo(
                UserInfo.serviceAccountUser("kube-system", name),
                List.of(UserInfo.SERVICE_ACCOUNTS, UserInfo.serviceAccountsOf("kube-system"), UserInfo.AUTHENTICATED)));
    }

    /** Returns a requester without warnings and audit events. */
    static Requester of(UserInfo user) {
        return () -> user;
    }
}
