package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.tree.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiServiceAvailabilityTest {
    private static final String CONDITION = "{\"type\":\"Available\",\"status\":\"True\",\"reason\":\"Local\"}";

    private static ObjectNode object(String spec, String conditions) throws JsonProcessingException {
        return (ObjectNode)
                Json.MAPPER.readTree("{\"metadata\":{\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},\"spec\":" + spec
                        + ",\"status\":{\"conditions\":[" + conditions + "]}}");
    }

    @Test
    void newApiServiceIsAvailableSinceItsCreation() throws JsonProcessingException {
        ObjectNode created = object("{}", "");
        ApiServiceAvailability.begin(created);
        assertThat(created.at("/status/conditions").toString())
                .isEqualTo("[{\"lastTransitionTime\":\"2026-01-01T00:00:00Z\","
                        + "\"message\":\"Local APIServices are always available\",\"reason\":\"Local\","
                        + "\"status\":\"True\",\"type\":\"Available\"}]");
        assertThat(ApiServiceAvailability.outdated(created, key -> false)).isEmpty();
    }

    @Test
    void apiServiceOfAServiceHasNoConditionAtFirst() throws JsonProcessingException {
        ObjectNode created = object("{\"service\":{\"name\":\"s\",\"namespace\":\"n\"}}", "");
        ApiServiceAvailability.begin(created);
        assertThat(created.at("/status/conditions")).isEmpty();
        ObjectNode invalid = object("{\"service\":{}}", "");
        ApiServiceAvailability.begin(invalid);
        assertThat(invalid.at("/status/conditions")).as("before its validation").isEmpty();
        assertThat(ApiServiceAvailability.outdated(created, new Key("services", "n", "s")::equals))
                .isEmpty();
        ObjectNode absent =
                ApiServiceAvailability.outdated(created, key -> false).orElseThrow();
        assertThat(absent.path("message").asText()).isEqualTo("service/s in \"n\" is not present");
        ApiServiceAvailability.set(created, absent, "2026-02-02T00:00:00Z");
        assertThat(ApiServiceAvailability.outdated(created, key -> false)).isEmpty();
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
        ObjectNode condition =
                ApiServiceAvailability.outdated(changed, key -> false).orElseThrow();
        ApiServiceAvailability.set(changed, condition, "2026-02-02T00:00:00Z");
        assertThat(ApiServiceAvailability.outdated(changed, key -> false)).isEmpty();
        assertThat(changed.at("/status/conditions").findValuesAsText("type"))
                .as("other conditions are unchanged")
                .filteredOn("Available"::equals)
                .hasSize(1);
        assertThat(changed.at("/status/conditions").toString().contains("Mine"))
                .isEqualTo(conditions.contains("\"type\":\"Mine\""));
    }

    @Test
    void upToDateConditionIsRecognized() throws JsonProcessingException {
        assertThat(ApiServiceAvailability.outdated(object("{\"service\":null}", CONDITION), key -> false))
                .isEmpty();
    }
}
