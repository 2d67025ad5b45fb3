package io.plat.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.review.status.StatusException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Both formats as cases: results, rejected patches, and growth limits. */
class PatchTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode apply(PatchFormat format, String document, String patch) throws StatusException {
        return Patch.of(format, json(patch), List.of(), TypeSchema.UNKNOWN).apply((ObjectNode) json(document));
    }

    /** A result {@code 422} is a patch that cannot be applied. */
    @ParameterizedTest(name = "{0}: {2}")
    @CsvFileSource(resources = "json-patch.csv", delimiter = '|', quoteCharacter = '`')
    void jsonPatchesApplyAsInKubernetes(String what, String document, String patch, String result)
            throws StatusException {
        if (result.equals("422")) {
            assertThatThrownBy(() -> apply(PatchFormat.JSON, document, patch))
                    .as(what)
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            e -> assertThat(e.status().code()).isEqualTo(422));
        } else {
            assertThat(apply(PatchFormat.JSON, document, patch)).as(what).isEqualTo(json(result));
        }
    }

    @ParameterizedTest(name = "{0} with {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":"b"}         | {"a":"c"}             | {"a":"c"}
            {"a":"b"}         | {"b":"c"}             | {"a":"b","b":"c"}
            {"a":"b"}         | {"a":null}            | {}
            {"a":"b","b":"c"} | {"a":null}            | {"b":"c"}
            {"a":["b"]}       | {"a":"c"}             | {"a":"c"}
            {"a":"c"}         | {"a":["b"]}           | {"a":["b"]}
            {"a":{"b":"c"}}   | {"a":{"b":"d","c":null}} | {"a":{"b":"d"}}
            {"a":[{"b":"c"}]} | {"a":[1]}             | {"a":[1]}
            {"e":null}        | {"a":1}               | {"e":null,"a":1}
            {"a":"foo"}       | {"a":{"bb":{"ccc":null}}} | {"a":{"bb":{}}}
            {}                | {"a":{"bb":{"ccc":null}}} | {"a":{"bb":{}}}
            {"a":{"b":1}}     | {"a":{}}              | {"a":{"b":1}}
            """)
    void mergePatchesAreApplied(String document, String patch, String result) throws StatusException {
        assertThat(apply(PatchFormat.MERGE, document, patch)).isEqualTo(json(result));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            JSON  | {}             | error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp
            JSON  | "x"            | error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp
            JSON  | [1]            | error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp
            JSON  | [{"op":1}]     | error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string
            JSON  | [{"path":[]}]  | error decoding patch: json: cannot unmarshal array into Go struct field jsonPatchOp.path of type string
            MERGE | []             | error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}
            MERGE | null           | Invalid JSON Patch
            MERGE | true           | error decoding patch: json: cannot unmarshal bool into Go value of type map[string]interface {}
            """)
    void malformedPatchIsABadRequest(PatchFormat format, String patch, String message) {
        assertThatThrownBy(() -> Patch.of(format, json(patch), List.of(), TypeSchema.UNKNOWN))
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().code()).isEqualTo(400);
                    assertThat(e.status().message()).isEqualTo(message);
                });
    }

    @Test
    void unknownMembersAreNamed() throws StatusException {
        Patch patch = Patch.of(
                PatchFormat.JSON,
                json("[{\"op\":\"remove\",\"path\":\"/a\"},{\"op\":\"remove\",\"path\":\"/b\",\"x\":1}]"),
                List.of("duplicate field \"[0].op\""),
                TypeSchema.UNKNOWN);
        assertThat(patch.warnings())
                .containsExactly("json patch duplicate field \"[0].op\"", "json patch unknown field \"[1].x\"");
        assertThat(Patch.of(PatchFormat.MERGE, json("{\"x\":1}"), List.of(), TypeSchema.UNKNOWN)
                        .warnings())
                .isEmpty();
    }

    @Test
    void patchCanBeAppliedAgain() throws StatusException {
        Patch patch = Patch.of(
                PatchFormat.JSON,
                json(
                        "[{\"op\":\"add\",\"path\":\"/a\",\"value\":{\"l\":[]}},{\"op\":\"add\",\"path\":\"/a/l/-\",\"value\":1}]"),
                List.of(),
                TypeSchema.UNKNOWN);
        Patch merge = Patch.of(PatchFormat.MERGE, json("{\"a\":{\"l\":[1]}}"), List.of(), TypeSchema.UNKNOWN);
        for (int i = 0; i < 3; i++) {
            assertThat(patch.apply((ObjectNode) json("{}"))).isEqualTo(json("{\"a\":{\"l\":[1]}}"));
            JsonNode merged = merge.apply((ObjectNode) json("{}"));
            assertThat(merged).isEqualTo(json("{\"a\":{\"l\":[1]}}"));
            ((ArrayNode) merged.path("a").path("l")).add(2);
        }
    }

    @Test
    void tooManyOperationsAreTooLarge() throws StatusException {
        ArrayNode operations = JSON.createArrayNode();
        for (int i = 0; i < JsonPatch.MAX_OPERATIONS; i++) {
            operations.addObject().put("op", "add").put("path", "/n").put("value", i);
        }
        assertThat(Patch.of(PatchFormat.JSON, operations, List.of(), TypeSchema.UNKNOWN)
                        .apply(JSON.createObjectNode()))
                .isEqualTo(json("{\"n\":9999}"));
        operations.addObject();
        assertThatThrownBy(() -> Patch.of(PatchFormat.JSON, operations, List.of(), TypeSchema.UNKNOWN))
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().code()).isEqualTo(413);
                    assertThat(e.status().message())
                            .isEqualTo("Request entity too large: The allowed maximum operations in a JSON patch is"
                                    + " 10000, got 10001");
                });
    }

    /** Each copy doubles the document: without a limit forty of them would exhaust any memory. */
    @Test
    void copiesAreBounded() {
        ArrayNode doublings = JSON.createArrayNode();
        for (int i = 0; i < 40; i++) {
            doublings.addObject().put("op", "copy").put("from", "/a").put("path", "/a/c" + i);
        }
        String document = "{\"a\":{\"text\":\"" + "x".repeat(1000) + "\"}}";
        assertThatThrownBy(() -> apply(PatchFormat.JSON, document, doublings.toString()))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(422));
    }

    /** The result is processed recursively, so it must not be deeper than a body may be. */
    @Test
    void patchedDepthIsBounded() {
        ArrayNode nesting = JSON.createArrayNode();
        nesting.addObject().put("op", "add").put("path", "/a").putObject("value");
        for (int i = 0; i < 200; i++) {
            nesting.addObject().put("op", "move").put("from", "/a").put("path", "/b");
            nesting.addObject().put("op", "add").put("path", "/a").putObject("value");
            nesting.addObject().put("op", "move").put("from", "/b").put("path", "/a/x");
        }
        assertThatThrownBy(() -> apply(PatchFormat.JSON, "{}", nesting.toString()))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(422));
    }
}
