package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.tree.Json;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Availability of API services: those without a service reference, which the server itself serves, are always available; others are not
 * while their service is absent.
 */
public final class ApiServiceAvailability {
    static final String STORAGE = "apiservices.apiregistration.k8s.io";

    private static final String AVAILABLE = "Available";

    private ApiServiceAvailability() {}

    /** Sets the condition of a new one. */
    static void begin(ObjectNode object) {
        if (!object.path("spec").path("service").isObject()) {
            set(object, local(), Json.text(object.path("metadata"), "creationTimestamp"));
        }
    }

    /** Returns the key of the service that serves it; empty if this server does. */
    private static Optional<Key> service(JsonNode object) {
        JsonNode service = object.path("spec").path("service");
        return service.isObject()
                ? Optional.of(new Key("services", Json.text(service, "namespace"), Json.text(service, "name")))
                : Optional.empty();
    }

    private static ObjectNode local() {
        return condition("True", "Local", "Local APIServices are always available");
    }

    private static ObjectNode condition(String status, String reason, String message) {
        return Json.object()
                .put("lastTransitionTime", "")
                .put("message", message)
                .put("reason", reason)
                .put("status", status)
                .put("type", AVAILABLE);
    }

    /**
     * Returns the condition that is missing or outdated; empty if there is none.
     *
     * @param exists whether an object exists
     */
    public static Optional<ObjectNode> outdated(JsonNode object, Predicate<Key> exists) {
        Optional<Key> service = service(object);
        if (service.filter(exists).isPresent()) {
            return Optional.empty();
        }
        ObjectNode expected = service.map(key -> condition(
                        "False",
                        "ServiceNotFound",
                        "service/" + key.name() + " in \"" + key.namespace() + "\" is not present"))
                .orElseGet(ApiServiceAvailability::local);
        JsonNode actual = Json.find(object.path("status").path("conditions"), "type", AVAILABLE);
        boolean same = Stream.of("status", "reason")
                .allMatch(field -> Json.text(actual, field).equals(Json.text(expected, field)));
        return same ? Optional.empty() : Optional.of(expected);
    }

    /**
     * Sets the condition.
     *
     * @param now time of its transition, as in metadata
     */
    public static void set(ObjectNode object, ObjectNode condition, String now) {
        ArrayNode conditions = Json.child(object, "status").withArrayProperty("conditions");
        conditions.removeIf(each -> Json.text(each, "type").equals(AVAILABLE));
        conditions.add(condition.put("lastTransitionTime", now));
    }
}
