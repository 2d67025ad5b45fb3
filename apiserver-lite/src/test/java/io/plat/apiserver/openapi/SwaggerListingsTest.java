package io.plat.apiserver.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.discovery.RuntimeConfig;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.type.ResourceCatalog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwaggerListingsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final OpenApiDocuments DOCUMENTS = new OpenApiDocuments(
            new ServedTypes(ResourceCatalog.builtIn(), RuntimeConfig.parse("api/all=true", List.of())), "0.1.0");

    private final SwaggerListings listings = new SwaggerListings(DOCUMENTS);

    private JsonNode listing(String name) throws IOException {
        return JSON.readTree(listings.find(name).orElseThrow().bytes());
    }

    @Test
    void indexNamesEveryDeclaration() throws IOException {
        JsonNode index = listing("");
        assertThat(index.path("swaggerVersion").asText()).isEqualTo("1.2");
        List<String> paths = index.path("apis").findValuesAsText("path");
        assertThat(paths)
                .contains("/api/v1", "/apis/apps/v1", "/apis/rbac.authorization.plat.io/v1alpha1", "/experimental/v1");
        for (String path : paths) {
            JsonNode declaration = listing(path.substring(1));
            assertThat(declaration.path("resourcePath").asText()).isEqualTo(path);
            assertThat(declaration.path("apis")).isNotEmpty();
            assertThat(declaration.path("models")).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"api/v2", "api", "apis/apps", "apis/apps/v1/x", "experimental", "/api/v1", "x"})
    void otherDocumentsAreNotFound(String name) {
        assertThat(listings.find(name)).isEmpty();
    }

    /** In the view of Swagger 1.2 clients: each field has a type or a model, and each model exists. */
    @ParameterizedTest
    @ValueSource(strings = {"api/v1", "apis/apps/v1", "apis/apiextensions.k8s.io/v1", "experimental/v1"})
    void referencedModelsExist(String name) throws IOException {
        JsonNode declaration = listing(name);
        JsonNode models = declaration.path("models");
        var missing = new TreeSet<String>();
        for (Map.Entry<String, JsonNode> model : models.properties()) {
            assertThat(model.getValue().path("id").asText()).isEqualTo(model.getKey());
            for (Map.Entry<String, JsonNode> field :
                    model.getValue().path("properties").properties()) {
                JsonNode property = field.getValue();
                assertThat(property.has("$ref") ^ property.has("type"))
                        .as("%s.%s: %s", model.getKey(), field.getKey(), property)
                        .isTrue();
                for (JsonNode reference : property.findValues("$ref")) {
                    if (!models.has(reference.asText())) {
                        missing.add(reference.asText());
                    }
                }
            }
        }
        var types = new ArrayList<String>();
        declaration
                .path("apis")
                .forEach(api -> types.addAll(api.path("operations").findValuesAsText("type")));
        types.stream().filter(type -> type.contains(".") && !models.has(type)).forEach(missing::add);
        assertThat(missing).isEmpty();
        assertThat(types).anyMatch(models::has);
    }

    @ParameterizedTest
    @CsvSource({
        "api/v1,       v1.Pod/properties/metadata/$ref, v1.ObjectMeta",
        "api/v1,       v1.Pod/properties/spec/$ref, v1.PodSpec",
        "api/v1,       v1.PodSpec/properties/containers/type, array",
        "api/v1,       v1.PodSpec/properties/containers/items/$ref, v1.Container",
        "api/v1,       v1.PodSpec/properties/nodeSelector/type, object",
        "api/v1,       v1.PodSpec/required/0, containers",
        "api/v1,       v1.ObjectMeta/properties/creationTimestamp/type, string",
        "api/v1,       v1.ObjectMeta/properties/labels/type, object",
        "api/v1,       v1.Container/properties/command/items/type, string",
        "api/v1,       v1.HTTPGetAction/properties/port/type, string",
        "api/v1,       v1.ResourceRequirements/properties/limits/type, object",
        "api/v1,       v1.Secret/properties/data/type, object",
        "apis/apps/v1, v1.Deployment/properties/spec/$ref, v1.DeploymentSpec",
        "apis/apps/v1, v1.DeploymentSpec/properties/replicas/type, integer",
    })
    void fieldsHaveTheirTypes(String name, String pointer, String value) throws IOException {
        assertThat(listing(name).path("models").at("/" + pointer).asText()).isEqualTo(value);
    }

    @Test
    void operationsDeclareParametersAndResponses() throws IOException {
        for (JsonNode api : listing("api/v1").path("apis")) {
            assertThat(api.path("path").asText()).startsWith("/api/v1/");
            for (JsonNode operation : api.path("operations")) {
                assertThat(operation.path("method").asText()).matches("GET|PUT|POST|PATCH|DELETE");
                assertThat(operation.path("nickname").asText()).matches("[A-Za-z0-9_]+");
                assertThat(operation.path("type").asText()).isNotEmpty();
                assertThat(operation.path("responseMessages")).isNotEmpty();
                for (JsonNode parameter : operation.path("parameters")) {
                    assertThat(parameter.path("paramType").asText()).matches("path|query|body");
                    assertThat(parameter.path("type").asText()).isNotEmpty();
                }
            }
        }
    }

    @Test
    void unstableVersionsAreGrouped() throws IOException {
        assertThat(listing("experimental/v1").path("apis").findValuesAsText("path"))
                .contains("/apis/rbac.authorization.plat.io/v1alpha1/clusterroles")
                .allMatch(path -> path.matches("/apis/[^/]+/v[0-9]+(alpha|beta)[0-9]*/.*"));
    }

    @Test
    void builtInListingsAreCreatedOnce() {
        HashedDocument first = listings.find("api/v1").orElseThrow();
        assertThat(listings.find("api/v1")).containsSame(first);
    }
}
