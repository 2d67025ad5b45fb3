package io.plat.review.explain;

import java.util.Objects;

/**
 * Somebody who may do what was asked about.
 *
 * @param who the subject
 * @param through what allows it
 */
public record ListedSubject(SubjectName who, Bounded<NamedGrant> through) {
    public ListedSubject {
        Objects.requireNonNull(who);
        if (through.items().isEmpty()) {
            throw new IllegalArgumentException("allowed by nothing: " + who);
        }
    }
}
