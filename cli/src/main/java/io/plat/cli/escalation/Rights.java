package io.plat.cli.escalation;

import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.List;

/** Rights of a subject, including those of the groups that any server adds. */
final class Rights {
    private Rights() {}

    static AccessSet of(SubjectName subject, PolicyAccess policy) {
        AccessSet all = policy.of(subject);
        for (SubjectName implied : implied(subject)) {
            all = all.or(policy.of(implied));
        }
        return all;
    }

    private static List<SubjectName> implied(SubjectName subject) {
        SubjectName authenticated = SubjectName.group(UserInfo.AUTHENTICATED);
        return switch (subject.kind()) {
            case EVERYBODY -> List.of();
            case GROUP ->
                subject.name().equals(UserInfo.UNAUTHENTICATED) || subject.equals(authenticated)
                        ? List.of(SubjectName.EVERYBODY)
                        : List.of(SubjectName.EVERYBODY, authenticated);
            case USER -> {
                List<SubjectName> implied = new ArrayList<>(List.of(SubjectName.EVERYBODY));
                implied.add(
                        subject.name().equals(UserInfo.ANONYMOUS)
                                ? SubjectName.group(UserInfo.UNAUTHENTICATED)
                                : authenticated);
                if (!subject.inGroup().isEmpty()) {
                    implied.add(SubjectName.user(subject.name()));
                    implied.add(SubjectName.group(subject.inGroup()));
                }
                yield implied;
            }
            case SERVICE_ACCOUNT ->
                List.of(
                        SubjectName.EVERYBODY,
                        authenticated,
                        SubjectName.group(UserInfo.SERVICE_ACCOUNTS),
                        SubjectName.group(UserInfo.serviceAccountsOf(subject.namespace())));
        };
    }
}
