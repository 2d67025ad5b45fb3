package io.plat.engine.matrix;

import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.List;

/** Users that represent a subject in decisions: with the groups that every request of the subject has. */
public final class SubjectUsers {
    private SubjectUsers() {}

    /** Returns the user and groups of a subject. A subject with a name or a group is assumed to be authenticated. */
    public static UserInfo of(SubjectName subject) {
        return switch (subject.kind()) {
            case EVERYBODY -> new UserInfo("", List.of());
            case GROUP -> new UserInfo("", groups(subject.name()));
            case USER -> named(subject.name(), subject, List.of());
            case SERVICE_ACCOUNT ->
                named(
                        UserInfo.serviceAccountUser(subject.namespace(), subject.name()),
                        subject,
                        List.of(UserInfo.SERVICE_ACCOUNTS, UserInfo.serviceAccountsOf(subject.namespace())));
        };
    }

    private static UserInfo named(String user, SubjectName subject, List<String> own) {
        List<String> groups = new ArrayList<>();
        if (!subject.inGroup().isEmpty()) {
            groups.add(subject.inGroup());
        }
        groups.addAll(own);
        groups.add(user.equals(UserInfo.ANONYMOUS) ? UserInfo.UNAUTHENTICATED : UserInfo.AUTHENTICATED);
        return new UserInfo(user, groups.stream().distinct().toList());
    }

    private static List<String> groups(String group) {
        return group.equals(UserInfo.AUTHENTICATED) || group.equals(UserInfo.UNAUTHENTICATED)
                ? List.of(group)
                : List.of(group, UserInfo.AUTHENTICATED);
    }
}
