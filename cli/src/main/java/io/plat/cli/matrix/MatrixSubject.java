package io.plat.cli.matrix;

import io.plat.cli.CommandException;
import io.plat.cli.question.Subject;
import io.plat.review.UserInfo;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.List;

/**
 * A row: somebody, with the groups that a request of theirs surely has. Whoever is in a group is taken to be authenticated.
 *
 * @param name who
 * @param label as it is typed and printed: {@code alice}, {@code group:developers}, a service account's user name, {@code *}
 * @param asked as whom decisions are made
 */
record MatrixSubject(SubjectName name, String label, UserInfo asked) {
    private static final String GROUP = "group:";
    private static final String USER = "user:";

    static MatrixSubject of(SubjectName name) {
        return switch (name.kind()) {
            case EVERYBODY -> new MatrixSubject(name, "*", new UserInfo("", List.of()));
            case GROUP -> new MatrixSubject(name, GROUP + name.name(), new UserInfo("", groups(name.name())));
            case USER -> user(name, name.name());
            case SERVICE_ACCOUNT -> user(name, UserInfo.serviceAccountUser(name.namespace(), name.name()));
        };
    }

    private static MatrixSubject user(SubjectName name, String user) {
        List<String> groups = name.inGroup().isEmpty() ? List.of() : List.of(name.inGroup());
        boolean ambiguous = user.startsWith(GROUP) || user.startsWith(USER) || user.equals("*");
        String label = (ambiguous ? USER : "") + user;
        return new MatrixSubject(
                name,
                groups.isEmpty() ? label : label + " in " + GROUP + name.inGroup(),
                Subject.of(user, groups, false));
    }

    private static List<String> groups(String group) {
        return group.equals(UserInfo.AUTHENTICATED) || group.equals(UserInfo.UNAUTHENTICATED)
                ? List.of(group)
                : List.of(group, UserInfo.AUTHENTICATED);
    }

    /**
     * The subject of a label.
     *
     * @throws CommandException if it is none
     */
    static MatrixSubject parse(String typed) {
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
        return of(group ? SubjectName.group(name) : SubjectName.user(name));
    }

    /** Whether this subject is one of those listed, or has what one of them has. */
    boolean isIn(SubjectListing listing) {
        return listing.subjects().items().stream().map(ListedSubject::who).anyMatch(this::has);
    }

    private boolean has(SubjectName listed) {
        boolean grouped = listed.inGroup().isEmpty() || asked.groups().contains(listed.inGroup());
        return switch (listed.kind()) {
            case EVERYBODY -> true;
            case GROUP -> asked.groups().contains(listed.name());
            case USER -> grouped && !asked.name().isEmpty() && listed.name().equals(asked.name());
            case SERVICE_ACCOUNT ->
                grouped
                        && UserInfo.serviceAccountUser(listed.namespace(), listed.name())
                                .equals(asked.name());
        };
    }
}
