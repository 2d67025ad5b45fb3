package io.plat.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectRedactorTest {
    private final ObjectRedactor copier = new ObjectRedactor(
            Set.of("/metadata/managedFields", "/items/*/metadata/managedFields"), Set.of("/spec/token"));

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '^', textBlock = """
            {"a" : 1.10, "b":[true,null,{}], "c":1e400}      ; {"a":1.10,"b":[true,null,{}],"c":1E+400}
            {"a":"ä\\n\\u2028"}                              ; {"a":"\\u00E4\\n\\u2028"}
            {"metadata":{"name":"x","managedFields":[{"a":{}}]},"b":1} ; {"metadata":{"name":"x"},"b":1}
            {"items":[{"metadata":{"managedFields":[]}},{"metadata":{"name":"b"}}]} ; {"items":[{"metadata":{}},{"metadata":{"name":"b"}}]}
            {"other":{"managedFields":[]}}                   ; {"other":{"managedFields":[]}}
            {"spec":{"token":"secret","audiences":["a"]}}    ; {"spec":{"token":"(masked)","audiences":["a"]}}
            {"spec":{"token":{"deep":["secret"]}}}           ; {"spec":{"token":"(masked)"}}
            {"status":{"spec":{"token":"kept"}}}             ; {"status":{"spec":{"token":"kept"}}}
            [{"op":"remove","path":"/a"}]                    ; [{"op":"remove","path":"/a"}]
            """)
    void copiesOnOneLine(String json, String copied) {
        assertThat(copier.copy(bytes(json))).isEqualTo(copied);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"a\":}",
                "{} {}",
                "nonsense",
                "{\"a\":\"\u0001\"}",
                "{\"metadata\":{\"managedFields\":["
            })
    void invalidJsonIsNotCopied(String text) {
        assertThat(copier.copy(bytes(text))).isNull();
        assertThat(ObjectRedactor.metadata(bytes(text))).isEmpty();
    }

    @Test
    void tooDeepNestingIsOmitted() {
        assertThat(copier.copy(bytes("[".repeat(900) + "]".repeat(900)))).hasSize(1800);
        assertThat(copier.copy(bytes("[".repeat(100_000)))).isNull();
    }

    @Test
    void metadataIdentifiesTheObject() {
        String object =
                "{\"spec\":{\"metadata\":{\"name\":\"no\"}},\"metadata\":{\"labels\":{\"name\":\"no\"},\"name\":\"a\",\"uid\":\"u\",\"namespace\":7}}";
        assertThat(ObjectRedactor.metadata(bytes(object))).isEqualTo(Map.of("name", "a", "uid", "u"));
        assertThat(ObjectRedactor.metadata(bytes("[{\"metadata\":{\"name\":\"no\"}}]")))
                .isEmpty();
    }
}
