package io.plat.engine.matrix;

import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.List;

/** As whom a decision on a subject is made: somebody who is that subject, with the groups that a request of theirs surely has. */
public final class AskedAs {
    private AskedAs() {}

    /** The user and groups of a subject. Whoever has a name or is in a group is taken to be authenticated. */
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
