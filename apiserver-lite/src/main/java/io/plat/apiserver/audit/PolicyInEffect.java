package io.plat.apiserver.audit;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * Authorization policy in effect.
 *
 * @param modes the only mode, or {@code Union}
 * @param revision current policy revision
 */
public record PolicyInEffect(String modes, Supplier<PolicyRevision> revision) {
    public PolicyInEffect {
        Objects.requireNonNull(modes);
        Objects.requireNonNull(revision);
    }
}
