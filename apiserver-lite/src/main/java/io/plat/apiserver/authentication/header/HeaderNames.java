package io.plat.apiserver.authentication.header;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Header fields in which a front proxy names a user. Names are case-insensitive.
 *
 * @param user fields for the user name, of which the first present one counts
 * @param uid fields for the uid
 * @param groups fields for groups, all of which count
 * @param extraPrefixes prefixes of fields for extra values
 */
public record HeaderNames(List<String> user, List<String> uid, List<String> groups, List<String> extraPrefixes) {
    public HeaderNames {
        user = lower(user);
        uid = lower(uid);
        groups = lower(groups);
        extraPrefixes = lower(extraPrefixes);
    }

    private static List<String> lower(List<String> names) {
        return names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
    }

    /** Returns whether a header field is one of these. */
    public boolean includes(String headerName) {
        String name = headerName.toLowerCase(Locale.ROOT);
        return Stream.of(user, uid, groups).anyMatch(names -> names.contains(name))
                || extraPrefixes.stream().anyMatch(name::startsWith);
    }
}
