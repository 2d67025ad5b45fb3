package io.plat.apiserver.audit;

import java.util.function.Supplier;

/**
 * Authorization policy in effect.
 *
 * @param modes the only mode, or {@code Union}
 */
public record PolicyInEffect(String modes, Supplier<PolicyRevision> revision) {}
