package io.plat.apiserver.authentication;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The bearer token of a request (RFC 6750, 2.1). */
final class BearerToken {
    private BearerToken() {}

    /**
     * The token, if the request carries one.
     *
     * <p>Only a single {@code Authorization} header counts: of two, nobody could say which one another party would believe.
     */
    static Optional<String> of(Credentials credentials) {
        List<String> values = credentials.headers("Authorization");
        if (values.size() != 1) {
            return Optional.empty();
        }
        String value = values.getFirst().strip();
        int space = value.indexOf(' ');
        if (space < 0 || !value.substring(0, space).toLowerCase(Locale.ROOT).equals("bearer")) {
            return Optional.empty();
        }
        String token = value.substring(space + 1).strip();
        return token.isEmpty() ? Optional.empty() : Optional.of(token);
    }
}
