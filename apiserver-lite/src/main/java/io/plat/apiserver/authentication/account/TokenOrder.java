package io.plat.apiserver.authentication.account;

import java.util.List;
import java.util.Objects;

/**
 * What a token is to say.
 *
 * @param namespace the account's namespace
 * @param account the account
 * @param bound what it is bound to besides
 * @param audiences for whom it is, at least one
 * @param seconds how long it is valid
 */
public record TokenOrder(
        String namespace, ObjectReference account, Binding bound, List<String> audiences, long seconds) {
    public TokenOrder {
        Objects.requireNonNull(namespace);
        Objects.requireNonNull(account);
        Objects.requireNonNull(bound);
        audiences = List.copyOf(audiences);
        if (audiences.isEmpty() || seconds < 1) {
            throw new IllegalArgumentException("a token has an audience and an end");
        }
    }

    /** What a token is bound to besides its account. */
    public sealed interface Binding {
        /** Nothing. */
        record None() implements Binding {}

        /**
         * A pod, which may stand on a node.
         *
         * @param pod the pod
         * @param node the name of its node; {@code ""} where it has none
         */
        record ToPod(ObjectReference pod, String node) implements Binding {}

        /**
         * A secret.
         *
         * @param secret the secret
         */
        record ToSecret(ObjectReference secret) implements Binding {}
    }
}
