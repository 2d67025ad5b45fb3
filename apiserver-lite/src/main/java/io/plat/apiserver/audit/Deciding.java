package io.plat.apiserver.audit;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * Authorization policy in effect.
 *
 * @param modes the only mode, or {@code Union}
 * @param revision current policy revision
 */
public record Deciding(String modes, Supplier<PolicyRevision> revision) {
    public Deciding {
        Objects.requireNonNull(modes);
        Objects.requireNonNull(revision);
    }
}
