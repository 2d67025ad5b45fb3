package io.plat.engine.union;

/** What a member of a {@link StructuredUnion} says that ends the asking. An allow always does. */
public enum Finality {
    /** Nothing else: whatever it does not allow is the next member's to decide. */
    ALLOW,
    /** A denial too; where it fails, the next member is asked (field: {@code failurePolicy: NoOpinion}). */
    DENY,
    /** A denial, and a failure too (field: {@code failurePolicy: Deny}). */
    DENY_OR_FAILURE
}
