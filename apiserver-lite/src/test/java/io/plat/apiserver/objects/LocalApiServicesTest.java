package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalApiServicesTest {
    private static final String CONDITION = "{\"type\":\"Available\",\"status\":\"True\",\"reason\":\"Local\"}";

    private static ObjectNode object(String spec, String conditions) throws JsonProcessingException {
        return (ObjectNode)
                Json.MAPPER.readTree("{\"metadata\":{\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},\"spec\":" + spec
                        + ",\"status\":{\"conditions\":[" + conditions + "]}}");
    }

    @Test
    void newApiServiceIsAvailableSinceItsCreation() throws JsonProcessingException {
        ObjectNode created = object("{}", "");
        LocalApiServices.begin(created);
        assertThat(created.at("/status/conditions").toString())
                .isEqualTo("[{\"lastTransitionTime\":\"2026-01-01T00:00:00Z\","
                        + "\"message\":\"Local APIServices are always available\",\"reason\":\"Local\","
                        + "\"status\":\"True\",\"type\":\"Available\"}]");
        assertThat(LocalApiServices.isUpToDate(created)).isTrue();
    }

    @Test
    void apiServiceOfAServiceHasNoCondition() throws JsonProcessingException {
        ObjectNode created = object("{\"service\":{\"name\":\"s\",\"namespace\":\"n\"}}", "");
        LocalApiServices.begin(created);
        assertThat(created.at("/status/conditions")).isEmpty();
        assertThat(LocalApiServices.isUpToDate(created))
                .as("nothing that it should")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"type\":\"Mine\",\"status\":\"True\"}",
                "{\"type\":\"Available\",\"status\":\"False\",\"reason\":\"Local\"}",
                "{\"type\":\"Available\",\"status\":\"True\",\"reason\":\"Mine\"}"
            })
    void outdatedConditionIsReplaced(String conditions) throws JsonProcessingException {
        ObjectNode changed = object("{}", conditions);
        assertThat(LocalApiServices.isUpToDate(changed)).isFalse();
        LocalApiServices.setAvailable(changed, "2026-02-02T00:00:00Z");
        assertThat(LocalApiServices.isUpToDate(changed)).isTrue();
        assertThat(changed.at("/status/conditions").findValuesAsText("type"))
                .as("other conditions are unchanged")
                .filteredOn("Available"::equals)
                .hasSize(1);
        assertThat(changed.at("/status/conditions").toString().contains("Mine"))
                .isEqualTo(conditions.contains("\"type\":\"Mine\""));
    }

    @Test
    void upToDateConditionIsRecognized() throws JsonProcessingException {
        assertThat(LocalApiServices.isUpToDate(object("{\"service\":null}", CONDITION)))
                .isTrue();
    }
}
