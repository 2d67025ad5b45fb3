package io.plat.tests.modes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The role objects of a server, replaced by those in manifests. */
final class RoleObjects {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GROUP = "/apis/rbac.authorization.k8s.io/v1";

    private final ReviewServer server;
    private final Set<String> namespaces = new HashSet<>(Set.of("default"));

    RoleObjects(ReviewServer server) {
        this.server = server;
    }

    /** Replaces all objects by those of the manifests. */
    void replace(String manifests) throws IOException {
        for (String kind : List.of("clusterrolebindings", "clusterroles")) {
            expect(200, server.send("DELETE", GROUP + "/" + kind, "{}"));
        }
        for (String namespace : namespaces) {
            for (String kind : List.of("rolebindings", "roles")) {
                expect(200, server.send("DELETE", GROUP + "/namespaces/" + namespace + "/" + kind, "{}"));
            }
        }
        for (JsonNode object : objects(manifests)) {
            create(object);
        }
    }

    private void create(JsonNode object) throws IOException {
        String namespace = object.at("/metadata/namespace").asText();
        if (!namespace.isEmpty() && namespaces.add(namespace)) {
            expect(201, server.send("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}"));
        }
        String kind = object.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
        String scope = namespace.isEmpty() ? "/" : "/namespaces/" + namespace + "/";
        String path = "/apis/" + object.path("apiVersion").asText() + scope + kind;
        expect(201, server.send("POST", path, object.toString()));
    }

    private static void expect(int code, HttpResponse<String> answer) {
        assertThat(answer.statusCode())
                .as("%s: %s", answer.uri(), answer.body())
                .isEqualTo(code);
    }

    /** Items of a typed list omit kind and apiVersion. */
    private static ObjectNode typed(ObjectNode item, String kind, JsonNode list) {
        if (!kind.isEmpty()) {
            item.put("kind", kind).set("apiVersion", list.path("apiVersion"));
        }
        return item;
    }

    private static List<JsonNode> objects(String manifests) {
        List<JsonNode> objects = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(manifests)) {
            JsonNode tree = JSON.valueToTree(document);
            String kind = tree.path("kind").asText();
            if (kind.endsWith("List")) {
                String ofItems = kind.substring(0, kind.length() - "List".length());
                tree.path("items").forEach(item -> objects.add(typed((ObjectNode) item, ofItems, tree)));
            } else if (tree.path("apiVersion").asText().startsWith("rbac.")) {
                objects.add(tree);
            }
        }
        return objects;
    }
}
