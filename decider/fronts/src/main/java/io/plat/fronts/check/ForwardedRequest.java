package io.plat.fronts.check;

import io.plat.http.authentication.Credentials;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request line that a proxy forwards: in one of two pairs of header fields, or in its own request below {@value #PREFIX}. All that are present
 * have to agree, as a client may have sent those that the proxy does not set.
 */
record ForwardedRequest(String method, String target) {
    /** The path of checks, and the prefix of those that have the requested path behind it. */
    static final String PREFIX = "/check";

    static boolean isCheck(String path) {
        return path.startsWith(PREFIX) && (path.length() == PREFIX.length() || path.charAt(PREFIX.length()) == '/');
    }

    /**
     * Reads a check.
     *
     * @param method the method of the check itself
     * @param target its path and query
     * @throws StatusException 400 if there is no request line, or two that differ
     */
    static ProxiedRequest read(String method, String target, Credentials fields) throws StatusException {
        ForwardedRequest forwarded = agreed(
                pair(fields, "X-Forwarded-Method", "X-Forwarded-Uri"),
                pair(fields, "X-Original-Method", "X-Original-URI"));
        if (target.startsWith("/", PREFIX.length())) {
            forwarded = agreed(forwarded, new ForwardedRequest(method, target.substring(PREFIX.length())));
        }
        if (forwarded == null) {
            throw new StatusException(
                    StatusReason.BAD_REQUEST,
                    "no request to check: expected X-Forwarded-Method and X-Forwarded-Uri, X-Original-Method and"
                            + " X-Original-URI, or a path below " + PREFIX + "/");
        }
        return new ProxiedRequest(forwarded.method, forwarded.target, fields);
    }

    private static @Nullable ForwardedRequest agreed(@Nullable ForwardedRequest one, @Nullable ForwardedRequest other)
            throws StatusException {
        if (one != null && other != null && !one.equals(other)) {
            throw ProxiedRequest.ambiguous("X-Forwarded-*, X-Original-* and the path below " + PREFIX + "/ differ");
        }
        return one == null ? other : one;
    }

    private static @Nullable ForwardedRequest pair(Credentials fields, String method, String target)
            throws StatusException {
        List<String> methods = fields.headers(method);
        List<String> targets = fields.headers(target);
        if (methods.isEmpty() && targets.isEmpty()) {
            return null;
        }
        if (methods.size() != 1 || targets.size() != 1) {
            throw ProxiedRequest.ambiguous("expected " + method + " and " + target + " once each");
        }
        return new ForwardedRequest(methods.getFirst(), targets.getFirst());
    }
}
