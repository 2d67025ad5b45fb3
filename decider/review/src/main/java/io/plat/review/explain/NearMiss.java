package io.plat.review.explain;

import java.util.List;
import java.util.Objects;

/**
 * A grant that would allow the request if some of its attributes were others.
 *
 * @param grant the grant
 * @param lacks the attributes that it does not match, at least one, by the words of {@link Mismatch}; a further decider may know more
 */
public record NearMiss(NamedGrant grant, List<String> lacks) {
    public NearMiss {
        Objects.requireNonNull(grant);
        lacks = List.copyOf(lacks);
        if (lacks.isEmpty()) {
            throw new IllegalArgumentException("a grant that misses nothing");
        }
    }
}
