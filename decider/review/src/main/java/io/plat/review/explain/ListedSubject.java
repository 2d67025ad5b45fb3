package io.plat.review.explain;

/**
 * A subject with the requested access.
 *
 * @param through the grants
 */
public record ListedSubject(SubjectName subject, BoundedList<NamedGrant> through) {
    public ListedSubject {
        if (through.items().isEmpty()) {
            throw new IllegalArgumentException("allowed by nothing: " + subject);
        }
    }
}
