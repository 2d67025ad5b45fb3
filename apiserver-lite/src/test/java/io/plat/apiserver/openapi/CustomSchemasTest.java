package io.plat.apiserver.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import java.io.IOException;
import java.util.HashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomSchemasTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final ResourceType TYPE =
            ResourceCatalog.builtIn().find("apps", "v1", "deployments").orElseThrow();

    /** The schema of a definition, and its additional members in version 2. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"type":"object","x-kubernetes-preserve-unknown-fields":true,"description":"d"} | {"type":"object"} |
        {"type":"object","properties":{"a":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"description":"d","properties":{"b":{}}}}} | {"type":"object"} | {"x-kubernetes-preserve-unknown-fields":true,"description":"d"}
        {"type":"object","properties":{"a":{"type":"object","default":{"$ref":"x"}}}} | {"type":"object"} | {"type":"object","default":{"$ref":"x"}}
        {"type":"object","description":"d","properties":{"a":{"type":"string","nullable":true}}} | {"type":"object","description":"d"} | {}
        """)
    void propertiesMisreadByKubectlAreOmitted(String described, String whole, String property) throws IOException {
        ObjectNode schemas = JSON.createObjectNode();
        CustomSchemas.add(TYPE, JSON.readTree(described), true, schemas, new HashMap<>());
        ObjectNode schema = (ObjectNode) schemas.path("apps.v1.Deployment");
        assertThat(schema.remove(OpenApiSchemas.KINDS).toString())
                .isEqualTo("[{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"}]");
        JsonNode properties = schema.path("properties");
        assertThat(schema.without("properties").toString()).isEqualTo(whole);
        if (property == null) {
            assertThat(properties.isMissingNode()).isTrue();
        } else {
            assertThat(properties.path("a").toString()).isEqualTo(property);
            assertThat(properties.path("metadata").path("description").asText())
                    .startsWith("Standard object's metadata.");
        }
        assertThat(schemas.at("/apps.v1.DeploymentList/properties/metadata/$ref")
                        .asText())
                .isEqualTo("#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta");
    }
}
