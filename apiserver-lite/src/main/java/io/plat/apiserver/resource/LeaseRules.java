package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Leases, by which clients elect a leader: what they hold is between the clients; only what can't be meant is refused. */
final class LeaseRules implements TypeRules {
    @Override
    public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        Field spec = Field.of(object, causes).at("spec");
        spec.at("leaseDurationSeconds").range(1, Long.MAX_VALUE, "must be greater than 0");
        spec.at("leaseTransitions").notNegative();
        if (!spec.at("preferredHolder").isEmpty() && spec.at("strategy").isEmpty()) {
            spec.at("preferredHolder").forbidden("may only be specified when `strategy` is defined");
        }
    }
}
