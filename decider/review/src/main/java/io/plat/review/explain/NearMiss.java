package io.plat.review.explain;

import java.util.List;

/**
 * A grant that would allow the request if some of its attributes were others.
 *
 * @param lacks the attributes that it does not match, at least one, by the names in {@link Mismatch}; a remote decider may have others
 */
public record NearMiss(NamedGrant grant, List<String> lacks) {
    public NearMiss {
        lacks = List.copyOf(lacks);
        if (lacks.isEmpty()) {
            throw new IllegalArgumentException("a near miss without a mismatch");
        }
    }
}
