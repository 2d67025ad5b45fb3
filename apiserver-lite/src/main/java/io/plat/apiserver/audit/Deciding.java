package io.plat.apiserver.audit;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * By what requests are decided.
 *
 * @param modes the only mode, or {@code Union}
 * @param revision the revision of the policy in force when asked
 */
public record Deciding(String modes, Supplier<PolicyRevision> revision) {
    public Deciding {
        Objects.requireNonNull(modes);
        Objects.requireNonNull(revision);
    }
}
