package io.plat.cli.request;

import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/** The subject of a request about another user. */
public final class Subject {
    private Subject() {}

    /**
     * Returns a user with the groups that a server would add: those of a service account, and those of every authenticated (or, for the
     * anonymous user, unauthenticated) request.
     */
    public static UserInfo of(String user, List<String> groups, boolean exactGroups) {
        SequencedSet<String> all = new LinkedHashSet<>(groups);
        if (!exactGroups) {
            addServiceAccountGroups(user, all);
            all.add(user.equals(UserInfo.ANONYMOUS) ? UserInfo.UNAUTHENTICATED : UserInfo.AUTHENTICATED);
        }
        return new UserInfo(user, List.copyOf(all));
    }

    private static void addServiceAccountGroups(String user, SequencedSet<String> groups) {
        SubjectName subject = SubjectName.user(user);
        if (subject.kind() == SubjectName.Kind.SERVICE_ACCOUNT) {
            groups.add(UserInfo.SERVICE_ACCOUNTS);
            groups.add(UserInfo.serviceAccountsOf(subject.namespace()));
        }
    }
}
