package io.plat.cli.cani;

import io.plat.cli.ask.AskedServer;
import io.plat.cli.ask.PolicyFiles;
import io.plat.cli.ask.Source;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.discovery.ServedNames;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Nearest;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a user that was named may be a typing error. Users are nowhere listed; policy files name those whom they grant something, and
 * a server has service accounts as objects.
 */
final class SubjectCheck {
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    private SubjectCheck() {}

    /** What nothing knows of a user and the groups that were given with it, one line each. */
    static List<String> unknown(Source source, UserInfo user, SubjectOptions typed) {
        SubjectName name = SubjectName.user(user.name());
        if (user.name().startsWith(SERVICE_ACCOUNT) && name.kind() != SubjectName.Kind.SERVICE_ACCOUNT) {
            return List.of(Quoted.of(user.name()) + " is no service account's user name; expected " + SERVICE_ACCOUNT
                    + "NAMESPACE:NAME");
        }
        return switch (source) {
            case PolicyFiles files -> inFiles(files.explainer().names().subjects(), name, typed);
            case AskedServer server ->
                name.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                                && ServedNames.lacksServiceAccount(server.connection(), name.namespace(), name.name())
                        ? List.of("there is no service account " + Quoted.of(name.name()) + " in the namespace "
                                + Quoted.of(name.namespace()))
                        : List.of();
        };
    }

    private static List<String> inFiles(Set<SubjectName> named, SubjectName user, SubjectOptions typed) {
        if (user.name().isEmpty() || named.stream().anyMatch(known -> isKnown(known, user, typed.groups))) {
            return List.of();
        }
        Set<String> names = named.stream()
                .filter(known -> known.kind() == user.kind())
                .map(SubjectName::name)
                .collect(Collectors.toSet());
        String shown = user.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                ? UserInfo.serviceAccountUser(user.namespace(), user.name())
                : user.name();
        return List.of("the policy names " + Quoted.of(shown) + " nowhere"
                + (typed.groups.isEmpty() ? "" : ", nor one of the groups") + Nearest.suggestion(user.name(), names));
    }

    private static boolean isKnown(SubjectName known, SubjectName user, List<String> groups) {
        return switch (known.kind()) {
            case EVERYBODY -> false;
            case GROUP -> groups.contains(known.name());
            case USER, SERVICE_ACCOUNT ->
                known.kind() == user.kind()
                        && known.name().equals(user.name())
                        && known.namespace().equals(user.namespace());
        };
    }
}
