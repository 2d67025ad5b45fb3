package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;

/** API services without a service reference, which the server itself serves: their condition is always Available. */
public final class LocalApiServices {
    static final String STORAGE = "apiservices.apiregistration.k8s.io";

    private static final String AVAILABLE = "Available";
    private static final String CONDITION = """
        {"lastTransitionTime": "", "message": "Local APIServices are always available", "reason": "Local",
         "status": "True", "type": "Available"}\
        """;

    private LocalApiServices() {}

    private static boolean isLocal(JsonNode object) {
        return !object.path("spec").path("service").isObject();
    }

    static void begin(ObjectNode object) {
        if (isLocal(object)) {
            setAvailable(object, Json.text(object.path("metadata"), "creationTimestamp"));
        }
    }

    /** Returns whether the condition is up to date, or the object is not local. */
    public static boolean isUpToDate(JsonNode object) {
        JsonNode condition = Json.find(object.path("status").path("conditions"), "type", AVAILABLE);
        return !isLocal(object)
                || (Json.text(condition, "status").equals("True")
                        && Json.text(condition, "reason").equals("Local"));
    }

    public static void setAvailable(ObjectNode object, String now) {
        ArrayNode conditions = Json.child(object, "status").withArrayProperty("conditions");
        conditions.removeIf(condition -> Json.text(condition, "type").equals(AVAILABLE));
        conditions.add(Json.parse(CONDITION).put("lastTransitionTime", now));
    }
}
