package io.plat.fronts.check;

import io.plat.http.authentication.Credentials;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Identity from header fields of a proxy that authenticates users. The proxy has to remove these fields from requests of its clients.
 *
 * @param user the field with the user name
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
            throw IdentitySource.withoutUser(user + " is missing");
        }
        // Some proxies join two fields into one with a comma.
        if (name.indexOf(',') >= 0 || !Quoted.isSafe(name)) {
            throw ProxiedRequest.ambiguous(user + " contains a comma or a control character");
        }
        return new UserInfo(name, List.copyOf(groups(fields))).authenticated();
    }

    private Set<String> groups(Credentials fields) throws StatusException {
        Set<String> names = new LinkedHashSet<>();
        for (String value : fields.headers(groups)) {
            if (!Quoted.isSafe(value)) {
                throw ProxiedRequest.ambiguous(groups + " contains a control character");
            }
            for (String group : value.split(",", -1)) {
                names.add(trimmed(group, groups));
            }
        }
        names.remove("");
        if (names.size() > MAX_GROUPS) {
            throw ProxiedRequest.ambiguous(groups + " names more than " + MAX_GROUPS + " groups");
        }
        // Otherwise clients would have full access through a proxy that does not remove the field.
        if (names.contains(UserInfo.MASTERS)) {
            throw ProxiedRequest.ambiguous(groups + " names " + UserInfo.MASTERS);
        }
        return names;
    }

    /** Removes optional whitespace (RFC 9110, section 5.6.3); other leading or trailing space is refused, as it is invisible. */
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
