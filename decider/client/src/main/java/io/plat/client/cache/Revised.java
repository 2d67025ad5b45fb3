package io.plat.client.cache;

/**
 * An answer with the revision of its policy.
 *
 * @param revision the decider's name of the policy in effect; {@code ""} if it does not send one
 */
public record Revised<A>(A answer, String revision) {
    /** Returns an answer without a revision. */
    public static <A> Revised<A> of(A answer) {
        return new Revised<>(answer, "");
    }
}
