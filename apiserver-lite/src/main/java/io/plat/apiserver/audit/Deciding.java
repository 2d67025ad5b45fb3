package io.plat.apiserver.audit;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * By what requests are decided.
 *
 * @param modes the only mode, or {@code Union}
 * @param revision the revision of the policy in force when asked, {@code ""} for none
 */
public record Deciding(String modes, Supplier<String> revision) {
    public Deciding {
        Objects.requireNonNull(modes);
        Objects.requireNonNull(revision);
    }
}
