package io.plat.apiserver.authentication.header;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The header fields in which a front proxy names a user. Names are compared without case.
 *
 * @param user those of the user name, the first that is there counts
 * @param uid those of the uid
 * @param groups those of groups, all count
 * @param extraPrefixes what the names of further facts begin with
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

    /** Whether a header field of this name is one of these. */
    public boolean includes(String headerName) {
        String name = headerName.toLowerCase(Locale.ROOT);
        return Stream.of(user, uid, groups).anyMatch(names -> names.contains(name))
                || extraPrefixes.stream().anyMatch(name::startsWith);
    }
}
