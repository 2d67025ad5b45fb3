package io.plat.engine.union;

/**
 * An authorizer in a {@link StructuredUnion}.
 *
 * @param member the authorizer and its name
 * @param finality its final decisions
 */
public record StructuredMember(Member member, Finality finality) {}
