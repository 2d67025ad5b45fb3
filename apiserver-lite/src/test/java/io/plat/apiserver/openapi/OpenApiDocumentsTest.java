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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenApiDocumentsTest {
    private static final String REFERENCE = "#/components/schemas/";

    private final OpenApiDocuments documents = new OpenApiDocuments(
            new ServedTypes(ResourceCatalog.builtIn(), new RuntimeConfig(Map.of("api/all", true))), "v0");

    private JsonNode at(String path) throws IOException {
        return new JsonMapper().readTree(documents.find(path).orElseThrow().bytes());
    }

    @Test
    void indexNamesADocumentForEveryGroupVersion() throws IOException {
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
    void referencesResolveWithinTheDocument(String path) throws IOException {
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
    void patchOperationsDeclareFieldValidation() throws IOException {
        JsonNode patch = at("/openapi/v3/api/v1")
                .path("paths")
                .path("/api/v1/namespaces/{namespace}/configmaps/{name}")
                .path("patch");
        assertThat(patch.path("x-kubernetes-group-version-kind").toString())
                .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
        assertThat(patch.path("parameters").toString()).contains("\"fieldValidation\"", "\"dryRun\"");
    }

    /** The Go client compares what it has read with what it writes. */
    @Test
    void operationsHaveNoEmptyLists() throws IOException {
        assertThat(at("/openapi/v3/apis/batch/v1").toString()).doesNotContain("\"parameters\":[]");
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
                "/openapi/v3/apis//v1",
                "/openapi/v3/"
            })
    void unservedGroupVersionHasNoDocument(String path) {
        assertThat(documents.find(path)).isEmpty();
    }

    private JsonNode swagger() throws IOException {
        return new JsonMapper().readTree(documents.swagger().bytes());
    }

    @Test
    void referencesOfVersion2ResolveToDefinitions() throws IOException {
        JsonNode document = swagger();
        assertThat(document.path("swagger").asText()).isEqualTo("2.0");
        List<String> references = new ArrayList<>();
        collect(document, references);
        assertThat(references)
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                document.path("definitions").has(reference.replaceFirst("^#/definitions/", "")))
                        .as(reference)
                        .isTrue());
        assertThat(document.toString()).doesNotContain("#/components", "\"requestBody\"", "\"content\":{");
    }

    /** Clients look up kinds in this document, and validate by it if a type does not support patch. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "authorization.k8s.io/v1/SubjectAccessReview",
                "authorization.plat.io/v1beta1/SubjectAccessReview",
                "authorization.plat.io/v1beta1/AccessExplanation",
                "authorization.k8s.io/v1/SubjectListing",
                "authentication.k8s.io/v1/TokenReview",
                "authentication.k8s.io/v1/TokenRequest",
                "rbac.authorization.plat.io/v1alpha1/RoleBinding",
                "/v1/ConfigMap",
                "/v1/ConfigMapList"
            })
    void everyServedKindHasADefinition(String kind) throws IOException {
        List<String> kinds = new ArrayList<>();
        for (JsonNode definition : swagger().path("definitions")) {
            definition
                    .path("x-kubernetes-group-version-kind")
                    .forEach(id -> kinds.add(
                            id.path("group").asText() + "/" + id.path("version").asText() + "/"
                                    + id.path("kind").asText()));
        }
        assertThat(kinds).contains(kind).doesNotHaveDuplicates();
    }

    @Test
    void olderVersionsHaveSchemasOfTheirOwn() throws IOException {
        JsonNode definitions = swagger().path("definitions");
        assertThat(definitions
                        .at("/io.k8s.api.authorization.v1beta1.SubjectAccessReviewSpec/properties")
                        .has("group"))
                .isTrue();
        assertThat(definitions
                        .at("/io.k8s.api.rbac.v1alpha1.RoleRef/properties")
                        .has("apiVersion"))
                .isTrue();
    }

    @Test
    void documentIsCreatedOnceInEachForm() {
        assertThat(documents.swagger()).isSameAs(documents.swagger());
        assertThat(documents.swaggerBinary()).isSameAs(documents.swaggerBinary());
        assertThat(documents.swaggerBinary().hash())
                .isEqualTo(documents.swagger().hash());
        assertThat(documents.swaggerBinary().bytes()[0]).isEqualTo((byte) 0x0a);
    }

    @Test
    void subresourcesHavePaths() throws IOException {
        JsonNode paths = at("/openapi/v3/api/v1").path("paths");
        JsonNode token = paths.path("/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token");
        assertThat(token.at("/post/x-kubernetes-group-version-kind/kind").asText())
                .isEqualTo("TokenRequest");
        assertThat(paths.has("/api/v1/namespaces/{name}/status")).isTrue();
    }
}
