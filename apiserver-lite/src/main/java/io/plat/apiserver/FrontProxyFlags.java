package io.plat.apiserver;

import io.plat.apiserver.authentication.header.HeaderNames;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The flags about front proxies that name users in header fields. */
final class FrontProxyFlags {
    private static final FlagType<String> HEADER = new FlagType<>(
            "HEADER",
            "the name of a header field",
            text -> text.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") ? Optional.of(text) : Optional.empty());

    private final Flag<Optional<Path>> authorities;
    private final Flag<List<String>> allowedNames;
    private final Flag<List<String>> user;
    private final Flag<List<String>> uid;
    private final Flag<List<String>> groups;
    private final Flag<List<String>> extra;

    /**
     * What they say.
     *
     * @param authorities the authorities of front proxies
     * @param allowedNames the common names that a proxy may have; empty for any
     * @param headers where proxies name users
     */
    record Settings(Path authorities, List<String> allowedNames, HeaderNames headers) {}

    FrontProxyFlags(FlagSet flags) {
        flags.group("Authentication");
        authorities = flags.optional(
                "requestheader-client-ca-file",
                FlagType.PATH,
                "Authorities of front proxies, PEM: who has a certificate of theirs is believed in whom it names in header fields.");
        allowedNames = flags.list(
                "requestheader-allowed-names",
                FlagType.TEXT.labelled("NAME"),
                "The common names that a front proxy may have; any unless given.");
        user = flags.list(
                "requestheader-username-headers",
                HEADER,
                "Where a front proxy names the user, X-Remote-User unless given.");
        uid = flags.list("requestheader-uid-headers", HEADER, "Where it names the uid, X-Remote-Uid unless given.");
        groups = flags.list(
                "requestheader-group-headers", HEADER, "Where it names groups, X-Remote-Group unless given.");
        extra = flags.list(
                "requestheader-extra-headers-prefix",
                HEADER,
                "What the fields of further facts begin with, X-Remote-Extra- unless given.");
        flags.check(this::check);
    }

    private void check(FlagValues values, FlagProblems problems) {
        if (values.find(authorities).flatMap(given -> given).isPresent()) {
            return;
        }
        for (Flag<List<String>> flag : List.of(allowedNames, user, uid, groups, extra)) {
            if (!values.find(flag).orElse(List.of()).isEmpty()) {
                problems.add(flag, "only with --requestheader-client-ca-file");
            }
        }
    }

    /** What they say; empty where there are no front proxies. */
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

    /** Tells by its name whether a header field is one in which a front proxy names users. */
    Predicate<String> proving(FlagValues values) {
        return settings(values)
                .<Predicate<String>>map(given -> given.headers()::includes)
                .orElse(name -> false);
    }

    private static List<String> or(List<String> given, String standard) {
        return given.isEmpty() ? List.of(standard) : given;
    }
}
