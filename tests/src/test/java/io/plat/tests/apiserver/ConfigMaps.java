package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Config maps of one namespace, written and counted by tests. */
record ConfigMaps(StandaloneServer server, String namespace) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Creates a namespace and returns its config maps. */
    static ConfigMaps in(StandaloneServer server, String namespace) {
        var maps = new ConfigMaps(server, namespace);
        maps.send("POST", server.at("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
        return maps;
    }

    String path() {
        return "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    /** Returns the URL of the collection with a query. */
    URI at(String query) {
        return server.at(path() + "?" + query);
    }

    static String body(String name, String labels, String value) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\",\"labels\":{"
                + labels + "}},\"data\":{\"value\":\"" + value + "\"}}";
    }

    /** Creates a config map and returns its version. */
    long create(String name) {
        return create(name, "", "0");
    }

    long create(String name, String labels, String value) {
        return version(send("POST", server.at(path()), body(name, labels, value)));
    }

    /** Replaces a config map and returns its version. */
    long update(String name, String labels, String value) {
        return version(send("PUT", server.at(path() + "/" + name), body(name, labels, value)));
    }

    void delete(String name) {
        send("DELETE", server.at(path() + "/" + name), null);
    }

    /** Returns the current version. */
    long now() {
        return version(send("GET", server.at(path() + "?limit=1"), null));
    }

    /** Returns the names at a version, if it is still retained. */
    List<String> namesAt(long version) {
        List<String> names = new ArrayList<>();
        send("GET", at("resourceVersionMatch=Exact&resourceVersion=" + version), null)
                .path("items")
                .forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    JsonNode send(String method, URI target, @Nullable String body) {
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
