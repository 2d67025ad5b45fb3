package io.plat.apiserver.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps of {@code fieldsV1}: equivalent ones have one form, and invalid ones are refused. */
class FieldSetTest {
    private static String read(String step) {
        var json = JsonNodeFactory.instance.objectNode();
        json.putObject(step);
        return FieldSet.of(json).below().keySet().iterator().next();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
        f:name | f:name
        f:a"b | f:a"b
        k:{"name":"a"} | k:{"name":"a"}
        k:{ "name" : "a" } | k:{"name":"a"}
        k:{":":"x"} | k:{":":"x"}
        k:{"n\\u0061me":"a"} | k:{"name":"a"}
        k:{"protocol":"TCP","port":80} | k:{"port":80,"protocol":"TCP"}
        k:{"port":80} | k:{"port":80}
        v:"a" | v:"a"
        v: "a" | v:"a"
        v:1 | v:1
        i:007 | i:7
        """)
    void stepsHaveOneForm(String written, String canonical) {
        assertThat(read(written)).isEqualTo(canonical);
        assertThat(read(canonical)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k:5",
                "k:[]",
                "k:{\"a\":\"b\"",
                "k:{\"a\"b\":\"}",
                "k:{\"a\":\"b\"}}x",
                "k:{\"\":\"",
                "v:\"",
                "v:\"a",
                "v:",
                "x:1",
                "f",
                "i:a"
            })
    void malformedStepsAreRefused(String step) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(step));
    }

    @Test
    void aSetIsAnObject() {
        assertThatIllegalArgumentException().isThrownBy(() -> FieldSet.of(JsonNodeFactory.instance.arrayNode()));
    }
}
