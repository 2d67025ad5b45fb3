package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Objects with several managers, step by step, and the resulting managedFields. */
final class ApplicationsTest {
    private static final String MAPS = "api/v1/namespaces/default/configmaps";

    private static WriteOptions by(String manager, boolean force) {
        return new WriteOptions(false, WriteOptions.FieldValidation.WARN, WriteCheck.NONE, manager, force, null);
    }

    @TestFactory
    Stream<DynamicTest> cases() throws IOException {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("applications.jsonl"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .map(Api::tree)
                            .map(each ->
                                    DynamicTest.dynamicTest(each.path("name").asText(), () -> run(each)))
                            .toList()
                            .stream();
        }
    }

    private static void run(ObjectNode each) {
        try (Api api = new Api()) {
            String collection = "/" + each.path("type").asText(MAPS);
            for (JsonNode step : each.path("steps")) {
                Api.Answer answer = send(api, collection, step);
                assertThat(answer.code())
                        .as(step + ": " + answer.body())
                        .isEqualTo(step.path("code").asInt(200));
                if (step.has("message")) {
                    assertThat(answer.message()).isEqualTo(step.path("message").asText());
                    int conflicts = answer.message().split("(?<=[:-]) \\.", -1).length - 1;
                    assertThat(answer.body().at("/details/causes")).hasSize(answer.code() == 409 ? conflicts : 0);
                }
            }
            if (each.has("object")) {
                assertContains(api.get(collection + "/o").body(), each.path("object"));
            }
            if (each.has("names")) {
                assertThat(api.get(collection + "/o")
                                .body()
                                .at("/spec/template/spec/containers")
                                .findValuesAsText("name"))
                        .isEqualTo(Json.texts(each.path("names")));
            }
            if (each.has("owners")) {
                Map<String, JsonNode> expected = new TreeMap<>();
                each.path("owners").properties().forEach(owner -> expected.put(owner.getKey(), owner.getValue()));
                assertThat(api.owners(collection + "/o")).isEqualTo(expected);
            }
        }
    }

    private static void assertContains(JsonNode actual, JsonNode expected) {
        expected.properties().forEach(field -> {
            if (field.getValue().isObject()
                    && actual.path(field.getKey()).size() > field.getValue().size()) {
                assertContains(actual.path(field.getKey()), field.getValue());
            } else {
                assertThat(actual.path(field.getKey())).isEqualTo(field.getValue());
            }
        });
    }

    private static Api.Answer send(Api api, String collection, JsonNode step) {
        WriteOptions options = by(step.path("as").asText(), step.path("force").asBoolean());
        if (step.has("merge")) {
            return api.patch(
                    collection + "/o", PatchFormat.MERGE, step.path("merge").toString(), options);
        }
        ObjectNode body = step.path(step.has("post") ? "post" : "apply").deepCopy();
        ResourceType type = api.target(collection).type();
        body.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        Json.child(body, "metadata").put("name", "o");
        return step.has("post")
                ? api.post(collection, body.toString(), options)
                : api.apply(collection + "/o", body.toString(), options);
    }

    @Test
    void repeatedApplyWritesNothing() {
        try (Api api = new Api()) {
            String config =
                    "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"o\"},\"data\":{\"k\":\"v\"}}";
            Api.Answer first = api.apply("/" + MAPS + "/o", config, by("me", false));
            Api.Answer second = api.apply("/" + MAPS + "/o", config, by("me", false));
            assertThat(second.metadata().path("resourceVersion"))
                    .isEqualTo(first.metadata().path("resourceVersion"));
        }
    }

    @Test
    void serverDefaultsHaveNoManager() {
        try (Api api = new Api()) {
            String jobs = "/apis/batch/v1/namespaces/default/jobs";
            Api.Answer created = api.post(jobs, """
                    {"metadata":{"name":"o"},"spec":{"template":{"spec":{"restartPolicy":"Never",
                     "containers":[{"name":"main","image":"example"}]}}}}""", by("me", false));
            assertThat(created.body().at("/spec/selector/matchLabels")).hasSize(1);
            assertThat(created.body().at("/spec/template/metadata/labels")).hasSize(4);
            JsonNode owned = Objects.requireNonNull(api.owners(jobs + "/o").get("me Update"));
            assertThat(owned.at("/f:spec/f:template/f:spec").isEmpty()).isFalse();
            assertThat(owned.at("/f:spec").has("f:selector")).isFalse();
            assertThat(owned.at("/f:spec/f:template").has("f:metadata")).isFalse();
            assertThat(owned.has("f:metadata")).isFalse();
        }
    }

    @Test
    void dryRunOwnsNothing() {
        try (Api api = new Api()) {
            String config =
                    "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"o\"},\"data\":{\"k\":\"v\"}}";
            var dry = new WriteOptions(true, WriteOptions.FieldValidation.WARN, WriteCheck.NONE, "me", false, null);
            assertThat(api.apply("/" + MAPS + "/o", config, dry).code()).isEqualTo(201);
            assertThat(api.get("/" + MAPS + "/o").code()).isEqualTo(404);
            api.apply("/" + MAPS + "/o", config, by("me", false));
            String other = config.replace("\"v\"", "\"w\"");
            assertThat(api.apply("/" + MAPS + "/o", other, dry)
                            .body()
                            .at("/data/k")
                            .asText())
                    .isEqualTo("w");
            assertThat(api.get("/" + MAPS + "/o").body().at("/data/k").asText()).isEqualTo("v");
        }
    }

    @Test
    void updateManagersAreBounded() {
        try (Api api = new Api()) {
            api.given("/" + MAPS, "{\"metadata\":{\"name\":\"o\"},\"immutable\":false}");
            for (int i = 0; i < 15; i++) {
                api.patch(
                        "/" + MAPS + "/o", PatchFormat.MERGE, "{\"data\":{\"k" + i + "\":\"v\"}}", by("m" + i, false));
            }
            Map<String, JsonNode> owners = new HashMap<>(api.owners("/" + MAPS + "/o"));
            assertThat(owners).hasSize(10).containsKey("ancient-changes Update").containsKey("m14 Update");
            assertThat(owners.values().stream()
                            .mapToInt(set -> set.path("f:data").size())
                            .sum())
                    .as("no field is lost: 15 and the map itself")
                    .isEqualTo(16);
        }
    }
}
