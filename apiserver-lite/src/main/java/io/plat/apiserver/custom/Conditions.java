package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;

/** Conditions in a definition's status. */
record Conditions(ObjectNode definition) {
    static final String NAMES_ACCEPTED = "NamesAccepted";
    static final String ESTABLISHED = "Established";
    static final String TERMINATING = "Terminating";

    /** Returns a condition; a missing node if absent. */
    JsonNode find(String type) {
        return Json.find(definition.path("status").path("conditions"), "type", type);
    }

    boolean isTrue(String type) {
        return find(type).path("status").asText().equals("True");
    }

    record Condition(String type, boolean holds, String reason, String message) {}

    /** Sets a condition; its time changes with its status. */
    void set(Condition desired, String now) {
        ObjectNode status = definition.withObject("/status");
        ArrayNode conditions =
                status.path("conditions") instanceof ArrayNode known ? known : status.putArray("conditions");
        String statusText = desired.holds() ? "True" : "False";
        JsonNode current = find(desired.type());
        ObjectNode condition = current instanceof ObjectNode present ? present : conditions.addObject();
        boolean changed = !condition.path("status").asText().equals(statusText);
        condition.put("type", desired.type()).put("status", statusText);
        if (changed) {
            condition.put("lastTransitionTime", now);
        }
        condition.put("reason", desired.reason()).put("message", desired.message());
    }
}
