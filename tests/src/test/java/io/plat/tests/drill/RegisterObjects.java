package io.plat.tests.drill;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Config maps that contain a number, their state. */
final class RegisterObjects {
    static final String PATH = "/api/v1/namespaces/" + DrilledSystem.NAMESPACE + "/configmaps";

    private static final ObjectMapper JSON = new ObjectMapper();

    private RegisterObjects() {}

    static String at(String name) {
        return PATH + "/" + name;
    }

    /** Returns a body; without a version for an unconditional write. */
    static String body(String name, long state, String version) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\""
                + (version.isEmpty() ? "" : ",\"resourceVersion\":\"" + version + "\"") + "},\"data\":{\"state\":\""
                + state + "\"}}";
    }

    /** Returns the options of a conditional delete. */
    static String removal(String version) {
        return "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"preconditions\":{\"resourceVersion\":\"" + version
                + "\"}}";
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + text, e);
        }
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    static String version(JsonNode object) {
        return object.at("/metadata/resourceVersion").asText();
    }

    static long state(JsonNode object) {
        return object.at("/data/state").asLong();
    }
}
