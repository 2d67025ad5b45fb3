package io.plat.cli.request;

import io.plat.cli.process.CommandException;
import io.plat.engine.matrix.SubjectUsers;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Subjects as users of requests, as subjects of bindings, as labels that are typed and printed, and as text. */
public final class Subjects {
    private static final String GROUP = "group:";
    private static final String USER = "user:";

    /** The start of a text that is probably meant as a kind and a name; labels have only two of these forms. */
    private static final Pattern OTHER_KIND = Pattern.compile("(?i)(users?|groups?|serviceaccounts?|sa):");

    private Subjects() {}

    /**
     * Returns a user with the groups that a server would add: those of a service account, and those of every authenticated (or, for the
     * anonymous user, unauthenticated) request.
     */
    public static UserInfo user(String name, List<String> groups, boolean exactGroups) {
        List<String> implied = exactGroups
                ? List.of()
                : SubjectUsers.of(SubjectName.user(name)).groups();
        return new UserInfo(
                name,
                Stream.concat(groups.stream(), implied.stream()).distinct().toList());
    }

    /** Returns the user name of a user or service account; the name of another subject. */
    public static String userName(SubjectName subject) {
        return subject.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                ? UserInfo.serviceAccountUser(subject.namespace(), subject.name())
                : subject.name();
    }

    /** Returns the subject of bindings for a user name, which may be that of a service account. */
    public static RbacSubject bound(String user) {
        SubjectName subject = SubjectName.user(user);
        return subject.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                ? RbacSubject.serviceAccount(subject.namespace(), subject.name())
                : RbacSubject.user(user);
    }

    /** Returns the label of a subject: {@code alice}, {@code group:developers}, a service account's user name, {@code *}. */
    public static String label(SubjectName subject) {
        return switch (subject.kind()) {
            case EVERYBODY -> "*";
            case GROUP -> GROUP + subject.name();
            case USER, SERVICE_ACCOUNT -> {
                String user = userName(subject);
                boolean ambiguous = OTHER_KIND.matcher(user).lookingAt() || user.equals("*");
                String label = (ambiguous ? USER : "") + user;
                yield subject.inGroup().isEmpty() ? label : label + " in " + GROUP + subject.inGroup();
            }
        };
    }

    /**
     * Parses a label.
     *
     * @param flag the flag, for messages
     * @throws CommandException if it is invalid
     */
    public static SubjectName parse(String flag, String typed) {
        if (typed.equals("*")) {
            return SubjectName.EVERYBODY;
        }
        boolean group = typed.startsWith(GROUP);
        String name = group
                ? typed.substring(GROUP.length())
                : typed.startsWith(USER) ? typed.substring(USER.length()) : typed;
        boolean plain = name.length() == typed.length();
        if (name.isEmpty() || (plain && OTHER_KIND.matcher(typed).lookingAt())) {
            throw CommandException.usage(
                    flag + ": expected a user or group:NAME, or system:serviceaccount:NAMESPACE:NAME, found "
                            + Quoted.of(typed));
        }
        return group ? SubjectName.group(name) : SubjectName.user(name);
    }

    /** Returns a subject as one line of text: {@code Group developers}, {@code ServiceAccount team-a/deployer}. */
    public static String text(SubjectName subject) {
        if (subject.kind() == SubjectName.Kind.EVERYBODY) {
            return "everybody";
        }
        String namespace = subject.namespace().isEmpty() ? "" : Quoted.name(subject.namespace()) + "/";
        String within = subject.inGroup().isEmpty() ? "" : " in Group " + Quoted.name(subject.inGroup());
        return subject.kind().word() + " " + namespace + Quoted.name(subject.name()) + within;
    }
}
