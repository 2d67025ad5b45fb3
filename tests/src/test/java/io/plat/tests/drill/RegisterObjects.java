package io.plat.tests.drill;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Config maps whose data are a number: the state that somebody has given them. */
final class Maps {
    static final String PATH = "/api/v1/namespaces/" + DrilledSystem.NAMESPACE + "/configmaps";

    private static final ObjectMapper JSON = new ObjectMapper();

    private Maps() {}

    static String at(String name) {
        return PATH + "/" + name;
    }

    /** A body; no version where there is nothing to expect. */
    static String body(String name, long state, String version) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\""
                + (version.isEmpty() ? "" : ",\"resourceVersion\":\"" + version + "\"") + "},\"data\":{\"state\":\""
                + state + "\"}}";
    }

    /** The options of a removal that expects a version. */
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
