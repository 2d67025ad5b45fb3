package io.plat.engine.union;

import java.util.Objects;

/**
 * An authorizer in a {@link StructuredUnion}.
 *
 * @param member the authorizer and its name
 * @param finality its final decisions
 */
public record StructuredMember(Member member, Finality finality) {
    public StructuredMember {
        Objects.requireNonNull(member);
        Objects.requireNonNull(finality);
    }
}
