package io.plat.fronts.check;

import io.plat.http.authentication.AuthenticatorUnion;
import io.plat.http.authentication.Credentials;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Users that a proxy has authenticated and names in header fields. The proxy has to remove the fields that its clients send.
 *
 * @param user the field with the user name, which may be sent once
 * @param groups the field with groups, separated by commas; it may be repeated
 */
public record HeaderIdentity(String user, String groups) implements IdentitySource {
    private static final int MAX_GROUPS = 1000;

    @Override
    public UserInfo identify(Credentials fields) throws StatusException {
        List<String> names = fields.headers(user);
        if (names.size() > 1) {
            throw ProxiedRequest.ambiguous(user + " is sent twice");
        }
        String name = names.isEmpty() ? "" : trimmed(names.getFirst(), user);
        if (name.isEmpty()) {
            throw IdentitySource.nobody(user + " is missing");
        }
        // Two fields become one with a comma on the way through some proxies.
        if (name.indexOf(',') >= 0 || !Quoted.isSafe(name)) {
            throw ProxiedRequest.ambiguous(user + " holds a comma or a control character");
        }
        return AuthenticatorUnion.authenticated(new UserInfo(name, List.copyOf(groups(fields))));
    }

    private Set<String> groups(Credentials fields) throws StatusException {
        Set<String> found = new LinkedHashSet<>();
        for (String value : fields.headers(groups)) {
            if (!Quoted.isSafe(value)) {
                throw ProxiedRequest.ambiguous(groups + " holds a control character");
            }
            for (String group : value.split(",", -1)) {
                found.add(trimmed(group, groups));
            }
        }
        found.remove("");
        if (found.size() > MAX_GROUPS) {
            throw ProxiedRequest.ambiguous(groups + " names more than " + MAX_GROUPS + " groups");
        }
        // A proxy that does not remove the field would let its clients pass whatever the policy says.
        if (found.contains(UserInfo.MASTERS)) {
            throw ProxiedRequest.ambiguous(groups + " names " + UserInfo.MASTERS);
        }
        return found;
    }

    /** Removes optional whitespace (RFC 9110, section 5.6.3); other space at an end makes a name look like another one. */
    private static String trimmed(String value, String field) throws StatusException {
        int begin = 0;
        int end = value.length();
        while (begin < end && isSpace(value.charAt(begin))) {
            begin++;
        }
        while (begin < end && isSpace(value.charAt(end - 1))) {
            end--;
        }
        String name = value.substring(begin, end);
        if (name.strip().length() < name.length()) {
            throw ProxiedRequest.ambiguous(field + " begins or ends with a space that is not ASCII");
        }
        return name;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
