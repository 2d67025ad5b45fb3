package io.plat.cli.lint;

import io.plat.engine.rbac.RbacSubject;
import io.plat.review.UserInfo;
import java.util.Set;
import java.util.regex.Pattern;

/** Subjects that no request can have. */
final class ImpossibleNames {
    private static final String ACCOUNT = "system:serviceaccount:";
    private static final Pattern OBJECT_NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
    private static final Set<String> GROUPS =
            Set.of(UserInfo.AUTHENTICATED, UserInfo.UNAUTHENTICATED, UserInfo.MASTERS, UserInfo.SERVICE_ACCOUNTS);

    private ImpossibleNames() {}

    /** Returns the reason why this subject of a binding can't exist, or {@code ""}. */
    static String why(RbacSubject subject) {
        return switch (subject.kind()) {
            case RbacSubject.SERVICE_ACCOUNT -> account(subject);
            case RbacSubject.USER ->
                subject.name().equals("*") ? "\"*\" is a user of that name, not everybody" : user(subject.name());
            case RbacSubject.GROUP ->
                subject.name().equals("*") ? "\"*\" is a group of that name, not everybody" : group(subject.name());
            default -> "no such kind of subject";
        };
    }

    private static String account(RbacSubject subject) {
        boolean possible = OBJECT_NAME.matcher(subject.name()).matches()
                && (subject.namespace().isEmpty()
                        || OBJECT_NAME.matcher(subject.namespace()).matches());
        return possible ? "" : "no service account can have that name or namespace";
    }

    /** Returns the reason why a user name can't exist, or {@code ""}. */
    static String user(String name) {
        if (GROUPS.contains(name) || name.startsWith(UserInfo.SERVICE_ACCOUNTS + ":")) {
            return "that is a group";
        }
        if (!name.startsWith(ACCOUNT)) {
            return "";
        }
        String[] parts = name.substring(ACCOUNT.length()).split(":", -1);
        boolean possible = parts.length == 2
                && OBJECT_NAME.matcher(parts[0]).matches()
                && OBJECT_NAME.matcher(parts[1]).matches();
        return possible ? "" : "a service account's user is system:serviceaccount:NAMESPACE:NAME";
    }

    /** Returns the reason why a group can't have users, or {@code ""}. */
    static String group(String name) {
        if (name.startsWith(ACCOUNT) || name.equals(UserInfo.ANONYMOUS)) {
            return "that is a user";
        }
        String prefix = UserInfo.SERVICE_ACCOUNTS + ":";
        return name.startsWith(prefix)
                        && !OBJECT_NAME.matcher(name.substring(prefix.length())).matches()
                ? "no namespace can have that name"
                : "";
    }
}
