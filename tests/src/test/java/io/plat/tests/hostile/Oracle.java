package io.plat.tests.hostile;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Judges replies to hostile requests by rules that hold whatever was sent: nothing secret is shown, nothing is allowed that the policy does
 * not allow, no answer is an internal error, no internals leak, and every connection comes to an end.
 */
final class Oracle {
    /** Stands in an object that the clients of a run may read. */
    static final String OPEN = "anyone-may-see-this";

    /** Stands in an object that they may not read. */
    static final String CLOSED = "no-one-may-see-this";

    /** Each 2xx answer to a client that may read {@code /version} and the configmaps of one namespace holds one of these. */
    private static final List<String> ALLOWED_CONTENT =
            List.of("gitVersion", OPEN, "\"namespace\":\"open\"", "\"allowed\":false");

    private static final Pattern INTERNALS = Pattern.compile(
            "\\tat [a-z]+\\.|java\\.lang\\.|java\\.util\\.|io\\.plat\\.|org\\.eclipse\\.jetty|com\\.fasterxml|NullPointer|Exception:");

    private Oracle() {}

    /** Returns the first rule that the reply breaks; empty if it breaks none. */
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
