package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.operations.Api;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class of new ingresses. */
class DefaultIngressClassTest {
    private static final String GROUP = "/apis/networking.k8s.io/v1/";
    private static final String DEFAULT = "{'ingressclass.kubernetes.io/is-default-class':'true'}";

    private final Api api = new Api();

    @BeforeEach
    void givenAClassThatIsNoDefault() {
        givenClass("a-plain", "{}");
    }

    @AfterEach
    void close() {
        api.close();
    }

    private void givenClass(String name, String annotations) {
        given("ingressclasses", name, annotations, "'controller':'x.example/y'");
    }

    private JsonNode given(String resource, String name, String annotations, String spec) {
        return api.given(
                GROUP + resource,
                ("{'metadata':{'name':'" + name + "','annotations':" + annotations + "},'spec':{" + spec + "}}")
                        .replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            false | {}                                | ''                            | -
            true  | {}                                | ''                            | c-default
            true  | {}                                | 'ingressClassName':'a-plain', | a-plain
            true  | {'kubernetes.io/ingress.class':'x'} | ''                          | -
            """)
    void defaultClassAppliesToIngressesWithoutAClass(
            boolean exists, String annotations, String chosen, String expected) {
        if (exists) {
            givenClass("d-default", DEFAULT);
            givenClass("c-default", DEFAULT);
        }
        String backend = "'defaultBackend':{'service':{'name':'s','port':{'number':80}}}";
        JsonNode created =
                given("namespaces/default/ingresses", "i", annotations, (chosen.equals("''") ? "" : chosen) + backend);
        assertThat(created.path("spec").path("ingressClassName").asText("-")).isEqualTo(expected);
    }
}
