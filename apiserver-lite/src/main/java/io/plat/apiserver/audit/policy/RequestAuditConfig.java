package io.plat.apiserver.audit.policy;

import io.plat.engine.lookup.Frozen;
import java.util.Set;

/**
 * Extent to which a request is recorded.
 *
 * @param omitted stages without an event
 * @param omitsManagedFields whether {@code metadata.managedFields} is omitted from objects
 */
public record RequestAuditConfig(Level level, Set<Stage> omitted, boolean omitsManagedFields) {
    static final RequestAuditConfig NOTHING = new RequestAuditConfig(Level.NONE, Set.of(), false);

    public RequestAuditConfig {
        omitted = Frozen.copyOf(omitted);
    }

    public boolean records() {
        return level != Level.NONE;
    }
}
