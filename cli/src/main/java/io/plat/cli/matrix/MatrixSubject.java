package io.plat.cli.matrix;

import io.plat.cli.process.CommandException;
import io.plat.cli.question.Subject;
import io.plat.engine.matrix.SubjectUsers;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.List;

/**
 * A row: a subject, with the groups that every request of it has. A subject with a group is assumed to be authenticated.
 *
 * @param name the subject
 * @param label as it is typed and printed: {@code alice}, {@code group:developers}, a service account's user name, {@code *}
 * @param asked the user of decisions
 */
record MatrixSubject(SubjectName name, String label, UserInfo asked) {
    private static final String GROUP = "group:";
    private static final String USER = "user:";

    static MatrixSubject of(SubjectName name) {
        return new MatrixSubject(name, label(name), SubjectUsers.of(name));
    }

    private static String label(SubjectName name) {
        return switch (name.kind()) {
            case EVERYBODY -> "*";
            case GROUP -> GROUP + name.name();
            case USER -> user(name, name.name());
            case SERVICE_ACCOUNT -> user(name, UserInfo.serviceAccountUser(name.namespace(), name.name()));
        };
    }

    private static String user(SubjectName name, String user) {
        boolean ambiguous = user.startsWith(GROUP) || user.startsWith(USER) || user.equals("*");
        String label = (ambiguous ? USER : "") + user;
        return name.inGroup().isEmpty() ? label : label + " in " + GROUP + name.inGroup();
    }

    /**
     * Parses a label. That of a user includes its groups.
     *
     * @param groups additional groups of a user
     * @throws CommandException if it is invalid
     */
    static MatrixSubject parse(String typed, List<String> groups) {
        if (typed.equals("*")) {
            return of(SubjectName.EVERYBODY);
        }
        boolean group = typed.startsWith(GROUP);
        String name = group
                ? typed.substring(GROUP.length())
                : typed.startsWith(USER) ? typed.substring(USER.length()) : typed;
        if (name.isEmpty()) {
            throw CommandException.usage("--subject: expected a user or group:NAME, found \"" + typed + "\"");
        }
        SubjectName subject = group ? SubjectName.group(name) : SubjectName.user(name);
        if (group || groups.isEmpty()) {
            return of(subject);
        }
        String label = label(subject) + " (groups: " + String.join(", ", groups) + ")";
        return new MatrixSubject(subject, label, Subject.of(name, groups, false));
    }
}
