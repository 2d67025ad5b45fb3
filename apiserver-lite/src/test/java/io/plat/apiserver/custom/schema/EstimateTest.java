package io.plat.apiserver.custom.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.CompileBudget;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Schemas with rules, and the validation results of Kubernetes 1.37. */
class EstimateTest {
    private static final JsonMapper JSON = new JsonMapper();

    static Stream<JsonNode> cases() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(EstimateTest.class.getResourceAsStream("estimates.jsonl")),
                StandardCharsets.UTF_8))) {
            List<JsonNode> all = lines.lines().map(EstimateTest::parsed).toList();
            assertThat(all).hasSizeGreaterThan(100);
            return all.stream();
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void estimatedCostLimitsAgreeWithKubernetes(JsonNode row) {
        var causes = new Causes();
        ValidationRules.compile(
                TypeSchema.of(row.path("schema")), FieldPath.of("openAPIV3Schema"), CompileBudget.ofObject(), causes);
        assertThat(causes.list())
                .extracting(cause -> cause.field() + ": " + cause.message())
                .containsExactlyInAnyOrderElementsOf(
                        row.path("errors").valueStream().map(JsonNode::asText).toList());
    }
}
