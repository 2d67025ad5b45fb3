package io.plat.tests.hostile;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks replies to hostile requests by general rules: nothing secret is disclosed, nothing is allowed against the policy, no response is
 * an internal error or contains internals, and every connection ends.
 */
final class Oracle {
    /** Content of an object that the clients of a run may read. */
    static final String OPEN = "anyone-may-see-this";

    /** Content of an object that they may not read. */
    static final String CLOSED = "no-one-may-see-this";

    /** One of these is in each 2xx response to a client that may read {@code /version} and the configmaps of one namespace, or to its proxy. */
    private static final List<String> ALLOWED_CONTENT =
            List.of("gitVersion", OPEN, "\"namespace\":\"open\"", "\"allowed\":false", "X-Auth-User: alice");

    private static final Pattern INTERNALS = Pattern.compile(
            "\\tat [a-z]+\\.|java\\.lang\\.|java\\.util\\.|io\\.plat\\.|org\\.eclipse\\.jetty|com\\.fasterxml|NullPointer|Exception:");

    private Oracle() {}

    /** Returns the first violated rule; empty if there is none. */
    static Optional<String> violation(HostileRequest request, Reply reply) {
        if (reply.hung()) {
            return Optional.of("the server neither answered nor closed the connection");
        }
        if (reply.text().contains(CLOSED)) {
            return Optional.of("a forbidden object was shown");
        }
        if (reply.text().contains("\"allowed\":true")) {
            return Optional.of("a review of a user without any right was answered with \"allowed\": true");
        }
        if (INTERNALS.matcher(reply.text()).find()) {
            return Optional.of("internals leaked");
        }
        for (int status : reply.statuses()) {
            if (status == 500 || status == 502) {
                return Optional.of("answered " + status);
            }
            if (status / 100 == 2 && request.forbidden()) {
                return Optional.of("a forbidden request was answered " + status);
            }
            if (status / 100 == 2 && ALLOWED_CONTENT.stream().noneMatch(reply.text()::contains) && hasBody(reply)) {
                return Optional.of("an answer with status " + status + " shows something else than what is allowed");
            }
        }
        return Optional.empty();
    }

    private static boolean hasBody(Reply reply) {
        return reply.text().contains("{");
    }
}
