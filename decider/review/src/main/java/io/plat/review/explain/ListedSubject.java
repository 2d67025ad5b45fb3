package io.plat.review.explain;

import java.util.Objects;

/**
 * A subject with the requested access.
 *
 * @param who the subject
 * @param through the grants
 */
public record ListedSubject(SubjectName who, BoundedList<NamedGrant> through) {
    public ListedSubject {
        Objects.requireNonNull(who);
        if (through.items().isEmpty()) {
            throw new IllegalArgumentException("allowed by nothing: " + who);
        }
    }
}
