package io.plat.apiserver.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.custom.PrinterColumns.JsonPath;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPathTest {
    private static final String OBJECT = "{'a':{'b':1,'c.d':2,'l':[{'t':'x','v':10},{'t':'y','v':20}],'e/f':3}}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".a.b                        | 1",
                "a.b                         | 1",
                ".a['c.d']                   | 2",
                ".a.c\\.d                    | 2",
                ".a['e/f']                   | 3",
                ".a.l[0].v                   | 10",
                ".a.l[-1].v                  | 20",
                ".a.l[*].v                   | 10 20",
                ".a.l[?(@.t=='y')].v         | 20",
                ".a.l[?(@.t==\"y\")].v       | 20",
                ".a.l[?(@.v==10)].t          | x",
                ".a.l[?(@.t=='z')].v         |",
                ".a.x.y                      |",
                ".a..b                       | unreadable",
                ".a[                         | unreadable",
                ".a.l[?(@.v > 1)].t          | unreadable",
                ".a.l[99999999999].v         | unreadable",
                ".a.l[-99999999999].v        | unreadable",
                ".a.l[0:99999999999].v       | unreadable",
                ".a.l[0,99999999999].v       | unreadable",
            })
    void selectsValues(String path, String expected) throws JsonProcessingException {
        JsonNode object = new JsonMapper().readTree(OBJECT.replace('\'', '"'));
        String found = JsonPath.parse(path)
                .map(read -> String.join(
                        " ",
                        read.values(object, any -> true).stream()
                                .map(JsonNode::asText)
                                .toList()))
                .orElse("unreadable");
        assertThat(found).isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource({
        "v1 v2 v1beta1, v2 v1 v1beta1",
        "v1alpha1 v1beta2 v1beta1 v10 v9, v10 v9 v1beta2 v1beta1 v1alpha1",
        "foo v1 bar v2alpha1, v1 v2alpha1 bar foo",
    })
    void versionsThatClientsPreferComeFirst(String versions, String ordered) {
        assertThat(List.of(versions.split(" ", -1)).stream()
                        .sorted(ServedCustomTypes.PREFERRED_FIRST)
                        .toList())
                .isEqualTo(List.of(ordered.split(" ", -1)));
    }
}
