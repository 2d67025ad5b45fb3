package io.plat.apiserver.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.discovery.RuntimeConfig;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.resource.ResourceCatalog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenApiDocumentsTest {
    private static final String REFERENCE = "#/components/schemas/";

    private final OpenApiDocuments documents = new OpenApiDocuments(
            new ServedTypes(ResourceCatalog.builtIn(), new RuntimeConfig(Map.of("api/all", true))), "v0");

    private JsonNode at(String path) throws IOException {
        return new JsonMapper().readTree(documents.find(path).orElseThrow());
    }

    @Test
    void theIndexNamesADocumentForEveryGroupVersion() throws IOException {
        JsonNode paths = at("/openapi/v3").path("paths");
        assertThat(paths.properties())
                .extracting(Map.Entry::getKey)
                .contains("api/v1", "apis/rbac.authorization.k8s.io/v1", "apis/rbac.authorization.plat.io/v1alpha1");
        for (Map.Entry<String, JsonNode> entry : paths.properties()) {
            String url = entry.getValue().path("serverRelativeURL").asText();
            assertThat(url).matches("/openapi/v3/" + entry.getKey() + "\\?hash=[0-9A-F]{64}");
            assertThat(at(url.substring(0, url.indexOf('?'))).path("openapi").asText())
                    .isEqualTo("3.0.0");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/openapi/v3/api/v1",
                "/openapi/v3/apis/rbac.authorization.k8s.io/v1",
                "/openapi/v3/apis/rbac.authorization.plat.io/v1alpha1",
                "/openapi/v3/apis/authorization.k8s.io/v1beta1",
                "/openapi/v3/apis/authentication.k8s.io/v1"
            })
    void everyReferenceIsToASchemaOfTheDocument(String path) throws IOException {
        JsonNode document = at(path);
        JsonNode schemas = document.path("components").path("schemas");
        List<String> references = new ArrayList<>();
        collect(document, references);
        assertThat(references).isNotEmpty();
        assertThat(references)
                .allSatisfy(reference -> assertThat(reference).startsWith(REFERENCE))
                .allSatisfy(reference -> assertThat(schemas.has(reference.substring(REFERENCE.length())))
                        .as(reference)
                        .isTrue());
    }

    private static void collect(JsonNode node, List<String> references) {
        if (node.path("$ref").isTextual()) {
            references.add(node.path("$ref").asText());
        }
        node.forEach(child -> collect(child, references));
    }

    @Test
    void patchOperationsSayThatTheServerValidatesFields() throws IOException {
        JsonNode patch = at("/openapi/v3/api/v1")
                .path("paths")
                .path("/api/v1/namespaces/{namespace}/configmaps/{name}")
                .path("patch");
        assertThat(patch.path("x-kubernetes-group-version-kind").toString())
                .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
        assertThat(patch.path("parameters").toString()).contains("\"fieldValidation\"", "\"dryRun\"");
    }

    @Test
    void kindsAreNamedInTheVocabularyOfTheDocument() throws IOException {
        JsonNode schemas = at("/openapi/v3/apis/rbac.authorization.plat.io/v1alpha1")
                .path("components")
                .path("schemas");
        assertThat(schemas.path("io.k8s.api.rbac.v1.Role")
                        .path("x-kubernetes-group-version-kind")
                        .toString())
                .isEqualTo("[{\"group\":\"rbac.authorization.plat.io\",\"version\":\"v1alpha1\",\"kind\":\"Role\"}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/openapi/v3/api",
                "/openapi/v3/api/v2",
                "/openapi/v3/apis/x/v1",
                "/openapi/v2",
                "/openapi/v3/apis//v1",
                "/openapi/v3/"
            })
    void whatIsNotServedHasNoDocument(String path) {
        assertThat(documents.find(path)).isEmpty();
    }
}
