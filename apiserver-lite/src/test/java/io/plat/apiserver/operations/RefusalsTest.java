package io.plat.apiserver.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Target;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals and their messages: one row per case, in {@code refusals.jsonl}. */
final class RefusalsTest {
    private static final Api API = new Api();

    @AfterAll
    static void close() {
        API.close();
    }

    static Stream<Arguments> cases() throws IOException {
        try (InputStream in = Objects.requireNonNull(RefusalsTest.class.getResourceAsStream("refusals.jsonl"))) {
            return new String(in.readAllBytes(), UTF_8)
                            .lines()
                            .map(Api::tree)
                            .map(row -> Arguments.of(row.path("name").asText(), row))
                            .toList()
                            .stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isRefused(String name, ObjectNode row) {
        long before = revision();
        Target parsed = API.target(row.path("post").asText());
        Target target = new Target(parsed.type(), URLDecoder.decode(parsed.namespace(), UTF_8), parsed.name());
        Api.Answer answer = API.answer(() ->
                API.operations.create(target, ParsedObject.of((ObjectNode) row.path("body")), WriteOptions.DEFAULT));
        assertThat(answer.code())
                .as(answer.message())
                .isEqualTo(row.path("code").asInt());
        if (row.has("message")) {
            assertThat(answer.message()).isEqualTo(row.path("message").asText());
        }
        assertThat(answer.message()).endsWith(row.path("ends").asText()).doesNotContain("\n", "hunter2");
        var fields = new ArrayList<String>();
        answer.body()
                .path("details")
                .path("causes")
                .forEach(cause -> fields.add(cause.path("field").asText()));
        assertThat(fields).isEqualTo(texts(row.path("fields")));
        if (row.has("details")) {
            assertThat(answer.body().path("details")).isEqualTo(row.path("details"));
        }
        assertThat(revision()).as("nothing was written").isEqualTo(before);
    }

    private static List<String> texts(JsonNode list) {
        return Json.texts(list);
    }

    private static long revision() {
        return API.get("/api/v1/namespaces").metadata().path("resourceVersion").asLong();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "1",
                "\"x\"",
                "{",
                "{} {}",
                "{\"a\":nul}",
                "{'a':1}",
                "{\"kind\":1}",
                "{\"apiVersion\":[null]}"
            })
    void nonObjectBodyIsRefused(String body) {
        Api.Answer answer = API.post("/api/v1/namespaces/default/configmaps", body);
        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.message())
                .startsWith(
                        "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind")
                .doesNotContain("\n", "com.fasterxml", "Source:");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {} {}       | '{' after top-level value
        {} x        | 'x' after top-level value
        {}}         | '}' after top-level value
        }           | '}' looking for beginning of value
        {"a":1,}    | '}' looking for beginning of object key string
        {"a" 1}     | '1' after object key
        {"a":1 "b"} | '"' after object key:value pair
        {"a":[1 2]} | '2' after array element
        {"a":-x}    | 'x' in numeric literal
        {"a":"\\q"}  | 'q' in string escape code
        """)
    void malformedJsonIsReportedAsInGo(String body, String problem) {
        assertThat(API.post("/api/v1/namespaces/default/configmaps", body).message())
                .contains("json parse error: invalid character " + problem + " (");
    }

    @Test
    void nestingIsBounded() {
        String body = "{\"data\":" + "[".repeat(5000) + "]".repeat(5000) + "}";
        assertThat(API.post("/api/v1/namespaces/default/configmaps", body).code())
                .isEqualTo(400);
    }
}
