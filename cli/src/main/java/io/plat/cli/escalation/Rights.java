package io.plat.cli.escalation;

import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.List;

/** Rights of a subject, including those of the groups that any server adds. */
record Rights(List<AccessSet> parts) {
    Rights {
        parts = List.copyOf(parts);
    }

    static Rights of(SubjectName subject, PolicyAccess policy) {
        List<AccessSet> parts = new ArrayList<>();
        add(policy.of(subject), parts);
        for (SubjectName implied : implied(subject)) {
            add(policy.of(implied), parts);
        }
        return new Rights(parts);
    }

    private static void add(AccessSet set, List<AccessSet> parts) {
        if (!set.isEmpty()) {
            parts.add(set);
        }
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

    boolean contain(ResourceAttributes access) {
        return parts.stream().anyMatch(part -> part.contains(access));
    }

    boolean containSomewhere(ResourceAttributes access) {
        return parts.stream().anyMatch(part -> part.containsSomewhere(access));
    }

    boolean containOfSomeName(ResourceAttributes access) {
        return parts.stream().anyMatch(part -> part.containsOfSomeName(access));
    }

    boolean containEverything(String namespace) {
        return parts.stream().anyMatch(part -> part.containsEverything(namespace));
    }

    /** Returns whether any of these rights is not in the others. */
    boolean exceed(Rights others) {
        for (AccessSet part : parts) {
            AccessSet beyond = part;
            for (AccessSet other : others.parts) {
                beyond = beyond.minus(other);
            }
            if (!beyond.isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
