package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Leases, by which clients elect a leader: what they hold is between the clients; only what can't be meant is refused. */
final class LeaseRules implements TypeRules {
    @Override
    public NameRule names() {
        return NameRule.SUBDOMAIN;
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    /** A lease that is taken without having been looked at would be taken from whoever holds it. */
    @Override
    public boolean updatesUnconditionally() {
        return false;
    }

    @Override
    public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        JsonNode spec = object.path("spec");
        JsonNode duration = spec.path("leaseDurationSeconds");
        if (duration.isNumber() && duration.asLong() <= 0) {
            causes.invalidLiteral("spec.leaseDurationSeconds", duration.asText(), "must be greater than 0");
        }
        JsonNode transitions = spec.path("leaseTransitions");
        if (transitions.isNumber() && transitions.asLong() < 0) {
            causes.invalidLiteral("spec.leaseTransitions", transitions.asText(), "must be greater than or equal to 0");
        }
        if (!spec.path("preferredHolder").asText().isEmpty()
                && spec.path("strategy").asText().isEmpty()) {
            causes.forbidden("spec.preferredHolder", "may only be specified when `strategy` is defined");
        }
    }
}
