package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.LoneServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** Config maps of one namespace, written and counted for tests that follow them. */
record ConfigMaps(LoneServer server, String namespace) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Those of a namespace that is made. */
    static ConfigMaps in(LoneServer server, String namespace) {
        var maps = new ConfigMaps(server, namespace);
        maps.send("POST", server.at("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
        return maps;
    }

    String path() {
        return "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    /** The collection as an address, with a query. */
    URI at(String query) {
        return server.at(path() + "?" + query);
    }

    static String body(String name, String labels, String value) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\",\"labels\":{"
                + labels + "}},\"data\":{\"value\":\"" + value + "\"}}";
    }

    /** Creates one; its version. */
    long create(String name) {
        return create(name, "", "0");
    }

    long create(String name, String labels, String value) {
        return version(send("POST", server.at(path()), body(name, labels, value)));
    }

    /** Replaces one; its version. */
    long update(String name, String labels, String value) {
        return version(send("PUT", server.at(path() + "/" + name), body(name, labels, value)));
    }

    void delete(String name) {
        send("DELETE", server.at(path() + "/" + name), null);
    }

    /** The version of the present state. */
    long now() {
        return version(send("GET", server.at(path() + "?limit=1"), null));
    }

    /** The names that were there at a version, as far as it is still known. */
    List<String> namesAt(long version) {
        List<String> names = new ArrayList<>();
        send("GET", at("resourceVersionMatch=Exact&resourceVersion=" + version), null)
                .path("items")
                .forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    JsonNode send(String method, URI target, @org.jspecify.annotations.Nullable String body) {
        try {
            HttpResponse<String> answer = server.client().send(method, target, body);
            assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long version(JsonNode object) {
        return object.path("metadata").path("resourceVersion").asLong();
    }
}
