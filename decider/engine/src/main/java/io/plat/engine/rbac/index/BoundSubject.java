package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.ApiGroups;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A subject in the form of requests: a group, or a user name, including those of service accounts (specification, "Naming rules").
 *
 * @param isGroup whether it is a group
 * @param name the group or the user name
 * @param subject the subject in the binding
 */
public record BoundSubject(boolean isGroup, String name, RbacSubject subject) implements Comparable<BoundSubject> {
    /** Order of subjects, as names from clients could have colliding hash codes. */
    private static final Comparator<BoundSubject> ORDER = Comparator.comparing(BoundSubject::isGroup)
            .thenComparing(BoundSubject::name)
            .thenComparing(bound -> bound.subject.toString());

    @Override
    public int compareTo(BoundSubject other) {
        return ORDER.compare(this, other);
    }

    /** Returns the valid subjects of a binding, without duplicates. */
    public static List<BoundSubject> allOf(RbacBinding binding) {
        List<BoundSubject> all = new ArrayList<>(binding.subjects().size());
        Set<String> names = new HashSet<>();
        for (RbacSubject subject : binding.subjects()) {
            boolean isGroup = subject.kind().equals(RbacSubject.GROUP);
            String name = nameOf(subject, binding.key().namespace());
            if (!name.isEmpty() && names.add((isGroup ? "g" : "u") + name)) {
                all.add(new BoundSubject(isGroup, name, subject));
            }
        }
        return all;
    }

    SubjectName listed() {
        return isGroup ? SubjectName.group(name) : SubjectName.user(name);
    }

    /** Returns whether a binding's subject is the user, or a group of the user. */
    static boolean isNamed(RbacBinding binding, UserInfo user) {
        for (RbacSubject subject : binding.subjects()) {
            String name = nameOf(subject, binding.key().namespace());
            boolean named = subject.kind().equals(RbacSubject.GROUP)
                    ? user.groups().contains(name)
                    : user.name().equals(name);
            if (named && !name.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static String nameOf(RbacSubject subject, String bindingNamespace) {
        boolean rbacGroup = subject.apiGroup().isEmpty() || ApiGroups.isRbac(subject.apiGroup());
        return switch (subject.kind()) {
            case RbacSubject.USER, RbacSubject.GROUP -> rbacGroup ? subject.name() : "";
            case RbacSubject.SERVICE_ACCOUNT -> {
                boolean nowhere = subject.namespace().isEmpty() && bindingNamespace.isEmpty();
                boolean valid = subject.apiGroup().isEmpty()
                        && !nowhere
                        && !subject.name().isEmpty();
                yield valid ? subject.serviceAccountUser(bindingNamespace) : "";
            }
            default -> "";
        };
    }
}
