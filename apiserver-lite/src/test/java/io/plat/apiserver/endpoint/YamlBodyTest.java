package io.plat.apiserver.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.status.StatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlBodyTest {
    private static String convert(String yaml) throws StatusException {
        return new String(YamlBody.toJson(yaml.getBytes(UTF_8), 1 << 20), UTF_8);
    }

    @Test
    void everyYamlValueIsConvertedToJson() throws StatusException {
        assertThat(convert("""
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: a, labels: {}}
            data:
              text: "1"
              number: 12
              fraction: .5
              yes: true
              no: off
              nothing:
              list: [a, 1]
              block: |
                one
                two
            """))
                .isEqualTo(
                        "{\"apiVersion\":\"v1\",\"data\":{\"block\":\"one\\ntwo\\n\",\"fraction\":0.5,\"list\":[\"a\",1],"
                                + "\"no\":false,\"nothing\":null,\"number\":12,\"text\":\"1\",\"yes\":true},"
                                + "\"kind\":\"ConfigMap\",\"metadata\":{\"labels\":{},\"name\":\"a\"}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: 1\n---\nb: 2\n", "a: [", "a: b: c", "a: .inf", "a: 1\na: 2", "!!java/object:x {}"})
    void malformedYamlIsRejected(String yaml) {
        assertThatThrownBy(() -> convert(yaml)).isInstanceOfSatisfying(StatusException.class, e -> {
            assertThat(e.status().code()).isEqualTo(400);
            assertThat(e.status().message()).startsWith("yaml: ");
        });
    }

    @Test
    void flowStyleMayUseTabs() throws StatusException {
        assertThat(convert("{\n\t\"a\": [\n\t\t{\"b\": \"x\ty\"},\n\t],\n\t\"c\": \"d\n\t e\"\n}"))
                .isEqualTo("{\"a\":[{\"b\":\"x\\ty\"}],\"c\":\"d e\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        a:\\n\\tb: 1                       | yaml: line 2: found character that cannot start any token
        {\\n\\ta: 1,\\n}\\n---\\na: >\\n\\tb   | yaml: line 6: found character that cannot start any token
        \\t                                | yaml: found character that cannot start any token
        a: b: c                           | yaml: mapping values are not allowed in this context
        a: 1\\nb: {c: 1, c: 2}            | yaml: unmarshal errors:\\n  line 2: key "c" already set in map
        """)
    void messagesMatchKubernetes(String yaml, String message) {
        assertThatThrownBy(() -> convert(yaml.translateEscapes()))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().message()).startsWith(message.translateEscapes()));
    }

    @Test
    void aliasExpansionIsBounded() {
        String large = "x".repeat(100_000);
        StringBuilder yaml = new StringBuilder("a: &a \"").append(large).append("\"\nlist:\n");
        yaml.append("- *a\n".repeat(1000));
        assertThatThrownBy(() -> convert(yaml.toString()))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(413));
    }
}
