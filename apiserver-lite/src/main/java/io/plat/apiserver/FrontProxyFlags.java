package io.plat.apiserver;

import io.plat.apiserver.authentication.FrontProxyAuthenticator.HeaderNames;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Flags for authenticating front proxies. */
final class FrontProxyFlags {
    private final Flag<Optional<Path>> authorities;
    private final Flag<List<String>> allowedNames;
    private final Flag<List<String>> user;
    private final Flag<List<String>> uid;
    private final Flag<List<String>> groups;
    private final Flag<List<String>> extra;

    /**
     * Parsed values of the flags.
     *
     * @param authorities CA bundle for the certificates of front proxies
     * @param allowedNames the common names that a proxy may have; empty for any
     */
    record Settings(Path authorities, List<String> allowedNames, HeaderNames headers) {}

    FrontProxyFlags(FlagSet flags) {
        authorities = flags.optional("requestheader-client-ca-file", FlagType.PATH);
        allowedNames = flags.list("requestheader-allowed-names", FlagType.TEXT);
        user = flags.list("requestheader-username-headers", FlagType.HEADER_NAME);
        uid = flags.list("requestheader-uid-headers", FlagType.HEADER_NAME);
        groups = flags.list("requestheader-group-headers", FlagType.HEADER_NAME);
        extra = flags.list("requestheader-extra-headers-prefix", FlagType.HEADER_NAME);
        flags.checkRequires(authorities, allowedNames, user, uid, groups, extra);
    }

    /** Returns the settings; empty without front proxies. */
    Optional<Settings> settings(FlagValues values) {
        return values.get(authorities)
                .map(file -> new Settings(
                        file,
                        values.get(allowedNames),
                        new HeaderNames(
                                or(values.get(user), "X-Remote-User"),
                                or(values.get(uid), "X-Remote-Uid"),
                                or(values.get(groups), "X-Remote-Group"),
                                or(values.get(extra), "X-Remote-Extra-"))));
    }

    /** Returns a predicate for the names of header fields that identify the user of a front proxy. */
    Predicate<String> credentialHeaders(FlagValues values) {
        return settings(values)
                .<Predicate<String>>map(settings -> settings.headers()::includes)
                .orElse(name -> false);
    }

    private static List<String> or(List<String> names, String standard) {
        return names.isEmpty() ? List.of(standard) : names;
    }
}
