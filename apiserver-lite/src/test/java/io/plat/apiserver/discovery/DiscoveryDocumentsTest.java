package io.plat.apiserver.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.type.ResourceCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryDocumentsTest {
    private final ServedTypes types =
            new ServedTypes(ResourceCatalog.builtIn(), new RuntimeConfig(Map.of("api/all", true)));
    private final DiscoveryDocuments documents = new DiscoveryDocuments(types, "192.0.2.1:6443");
    private final AggregatedDiscovery aggregated = new AggregatedDiscovery(types);

    private JsonNode at(String path) {
        return documents.find(path).orElseThrow();
    }

    private static List<String> texts(JsonNode array, String field) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.path(field).asText()));
        return texts;
    }

    @Test
    void apiNamesTheVersionsOfTheCoreGroup() {
        assertThat(at("/api"))
                .hasToString("{\"kind\":\"APIVersions\",\"versions\":[\"v1\"],"
                        + "\"serverAddressByClientCIDRs\":[{\"clientCIDR\":\"0.0.0.0/0\","
                        + "\"serverAddress\":\"192.0.2.1:6443\"}]}");
    }

    @Test
    void kubernetesGroupsPrecedeTheirAliases() {
        List<String> groups = texts(at("/apis").path("groups"), "name");
        assertThat(groups)
                .containsSubsequence("authorization.k8s.io", "authorization.plat.io")
                .containsSubsequence("rbac.authorization.k8s.io", "rbac.authorization.plat.io")
                .doesNotContain("")
                .doesNotHaveDuplicates();
    }

    @Test
    void groupNamesItsVersionsThePreferredOneFirst() {
        JsonNode group = at("/apis/authorization.k8s.io");
        assertThat(group.path("kind").asText()).isEqualTo("APIGroup");
        assertThat(texts(group.path("versions"), "version")).containsExactly("v1", "v1beta1");
        assertThat(group.path("preferredVersion").path("groupVersion").asText()).isEqualTo("authorization.k8s.io/v1");
    }

    @Test
    void resourcesAreListedWithTheirVerbs() {
        JsonNode core = at("/api/v1");
        assertThat(core.has("apiVersion")).isFalse();
        assertThat(core.path("groupVersion").asText()).isEqualTo("v1");
        assertThat(texts(core.path("resources"), "name"))
                .contains("namespaces", "pods", "configmaps", "secrets", "serviceaccounts", "services");
        JsonNode pods = null;
        for (JsonNode resource : core.path("resources")) {
            pods = resource.path("name").asText().equals("pods") ? resource : pods;
        }
        assertThat(pods).isNotNull();
        assertThat(pods.path("kind").asText()).isEqualTo("Pod");
        assertThat(pods.path("namespaced").asBoolean()).isTrue();
        assertThat(pods.path("shortNames").toString()).isEqualTo("[\"po\"]");
        assertThat(pods.path("categories").toString()).isEqualTo("[\"all\"]");
        assertThat(pods.path("verbs").toString())
                .contains("\"create\"", "\"get\"", "\"list\"", "\"update\"", "\"patch\"", "\"delete\"", "\"watch\"");
    }

    /** The values are those of kube-apiserver; the alias of a group shares the stored version. */
    @ParameterizedTest
    @CsvSource({
        "/api/v1, configmaps, qFsyl6wFWjQ=",
        "/api/v1, events, r2yiGXH7wu8=",
        "/apis/events.k8s.io/v1, events, r2yiGXH7wu8=",
        "/apis/apps/v1, deployments, 8aSe+NMegvE=",
        "/apis/autoscaling/v1, horizontalpodautoscalers, qwQve8ut294=",
        "/apis/autoscaling/v2, horizontalpodautoscalers, qwQve8ut294=",
        "/apis/apiextensions.k8s.io/v1, customresourcedefinitions, jfWCUB31mvA=",
        "/apis/rbac.authorization.k8s.io/v1, roles, 7FuwZcIIItM=",
        "/apis/rbac.authorization.plat.io/v1alpha1, roles, 7FuwZcIIItM=",
        "/api/v1, bindings, ''"
    })
    void resourcesHaveTheHashOfTheVersionInWhichTheyAreStored(String path, String resource, String hash) {
        JsonNode resources = at(path).path("resources");
        assertThat(texts(resources, "storageVersionHash"))
                .element(texts(resources, "name").indexOf(resource))
                .isEqualTo(hash);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/api/v2", "/apis/nope", "/apis/nope/v1", "/apis/apps/v9", "/apis/a/b/c", "/apis//v1", "/x"})
    void unservedGroupVersionHasNoDocument(String path) {
        assertThat(documents.find(path)).isEmpty();
    }

    @Test
    void gatedGroupsAreNotMentioned() {
        ServedTypes gated = new ServedTypes(ResourceCatalog.builtIn(), RuntimeConfig.DEFAULT);
        assertThat(new DiscoveryDocuments(gated, "x")
                        .find("/apis")
                        .orElseThrow()
                        .toString())
                .doesNotContain("plat.io");
        assertThat(new AggregatedDiscovery(gated).find("/apis").orElseThrow().toString())
                .doesNotContain("plat.io");
        assertThat(gated.find("rbac.authorization.plat.io", "v1alpha1", "roles"))
                .isEmpty();
        assertThat(gated.find("rbac.authorization.k8s.io", "v1", "roles")).isPresent();
    }

    /** Types and subresources, each with its verbs, as in the plain form. */
    private static List<String> all(JsonNode resources) {
        List<String> all = new ArrayList<>();
        for (JsonNode type : resources) {
            String name = type.path("resource").asText();
            all.add(name + " " + type.path("verbs"));
            type.path("subresources")
                    .forEach(part ->
                            all.add(name + "/" + part.path("subresource").asText() + " " + part.path("verbs")));
        }
        return all;
    }

    @Test
    void bothFormsAgree() {
        JsonNode whole = aggregated.find("/apis").orElseThrow();
        for (JsonNode group : whole.path("items")) {
            String name = group.path("metadata").path("name").asText();
            for (JsonNode version : group.path("versions")) {
                JsonNode plain =
                        at("/apis/" + name + "/" + version.path("version").asText());
                assertThat(all(version.path("resources")))
                        .isEqualTo(StreamSupport.stream(plain.path("resources").spliterator(), false)
                                .map(type -> type.path("name").asText() + " " + type.path("verbs"))
                                .toList());
                assertThat(version.path("freshness").asText()).isEqualTo("Current");
            }
        }
        assertThat(texts(aggregated.find("/api").orElseThrow().path("items"), "metadata"))
                .containsExactly("");
        assertThat(aggregated.find("/api/v1")).isEmpty();
    }
}
