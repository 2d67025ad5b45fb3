package io.plat.apiserver.representation;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NegotiationTest {
    private static final ResourceType PODS =
            ResourceCatalog.builtIn().find("", "v1", "pods").orElseThrow();

    private interface Pick {
        Representation form() throws StatusException;
    }

    private static String picked(Pick pick) {
        try {
            Representation form = pick.form();
            return form.getClass().getSimpleName() + " " + form.contentType();
        } catch (StatusException e) {
            return e.status().code() + " "
                    + e.status().message().lines().findFirst().orElse("");
        }
    }

    private static Preferences accepting(String accept) {
        return new Preferences(accept, false, "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            ''                                                            | JsonRepresentation application/json
            application/json                                              | JsonRepresentation application/json
            APPLICATION/JSON                                              | JsonRepresentation application/json
            */*                                                           | JsonRepresentation application/json
            application/*                                                 | JsonRepresentation application/json
            text/csv, */*;q=0.1                                           | JsonRepresentation application/json
            application/json; charset=utf-8                               | JsonRepresentation application/json
            application/json;stream=watch                                 | JsonRepresentation application/json
            application/yaml                                              | YamlRepresentation application/yaml
            application/yaml;q=0.5, application/json;q=0.4                | YamlRepresentation application/yaml
            application/vnd.kubernetes.protobuf                           | EnvelopeRepresentation application/vnd.kubernetes.protobuf
            application/vnd.platform.protobuf, application/json           | EnvelopeRepresentation application/vnd.platform.protobuf
            application/vnd.kubernetes.protobuf;q=0.1, application/json   | JsonRepresentation application/json
            application/vnd.kubernetes.protobuf;stream=watch              | EnvelopeRepresentation application/vnd.kubernetes.protobuf
            application/json;as=Table;v=v1;g=meta.k8s.io,application/json | TableRepresentation application/json
            application/json;as=Table;v=v1beta1;g=meta.k8s.io             | TableRepresentation application/json
            application/yaml;as=Table;v=v1;g=meta.k8s.io                  | TableRepresentation application/yaml
            */*;as=Table;v=v1;g=meta.k8s.io                               | TableRepresentation application/json
            application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json | JsonRepresentation application/json
            application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io  | MetadataRepresentation application/json
            application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io | MetadataRepresentation application/vnd.kubernetes.protobuf
            application/json;as=Chair;v=v1;g=meta.k8s.io,application/yaml | YamlRepresentation application/yaml
            application/json;as=Table;v=v2;g=meta.k8s.io                  | 406 only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf
            application/json;as=Table                                     | 406 only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf
            application/yaml;stream=watch                                 | 406 only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf
            application/json;q=0                                          | 406 406: Not Acceptable
            application/json;q=nonsense                                   | JsonRepresentation application/json
            text/csv                                                      | 406 406: Not Acceptable
            application/jsonp                                             | 406 406: Not Acceptable
            garbage                                                       | 406 406: Not Acceptable
            """)
    void mostPreferredSupportedTypeIsChosen(String accept, String expected) {
        assertThat(picked(() -> Negotiation.objects(accepting(accept), PODS))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            ''                                               | application/json
            application/json;stream=watch                    | application/json
            application/vnd.kubernetes.protobuf;stream=watch | application/vnd.kubernetes.protobuf;stream=watch
            application/vnd.platform.protobuf                | application/vnd.platform.protobuf;stream=watch
            application/yaml, application/json;q=0.1         | application/json
            """)
    void streamMediaTypesAreSeparate(String accept, String expected) throws StatusException {
        assertThat(Negotiation.stream(accepting(accept), PODS).streamContentType())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/yaml  | 406 only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch
            text/csv          | 406 406: Not Acceptable
            """)
    void streamsAreNotServedAsYaml(String accept, String expected) {
        assertThat(picked(() -> Negotiation.stream(accepting(accept), PODS))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json                             | application/json
            application/vnd.kubernetes.protobuf          | application/vnd.kubernetes.protobuf
            application/json;as=Table;v=v1;g=meta.k8s.io | application/json
            application/yaml                             | application/yaml
            text/csv                                     | application/json
            """)
    void failuresAlwaysHaveARepresentation(String accept, String expected) {
        assertThat(Negotiation.failure(accepting(accept)).contentType()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"None", "Metadata", "Object"})
    void includeObjectIsHonoured(String included) {
        Preferences table = new Preferences("application/json;as=Table;v=v1;g=meta.k8s.io", false, included);
        assertThat(picked(() -> Negotiation.objects(table, PODS))).startsWith("TableRepresentation");
        Preferences wrong = new Preferences(table.accept(), false, included + "s");
        assertThat(picked(() -> Negotiation.objects(wrong, PODS)))
                .isEqualTo("400 Unable to convert to Table as requested: includeObject: Invalid value: \"" + included
                        + "s\": must be 'Metadata', 'Object', 'None', or empty");
    }

    @Property
    void anyHeaderIsNegotiatedOrRejected(@ForAll String accept) {
        assertThat(picked(() -> Negotiation.objects(accepting(accept), PODS))).isNotEmpty();
        assertThat(Negotiation.failure(accepting(accept))).isNotNull();
    }
}
