package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types with a binary form. */
class BinaryFormsTest {
    private static final BinaryForms FORMS = BinaryForms.builtIn();

    @ParameterizedTest
    @CsvSource({
        "v1, Pod",
        "v1, PodList",
        "v1, Status",
        "v1, DeleteOptions",
        "anything/v7, DeleteOptions",
        "anything/v7, WatchEvent",
        "policy/v1, Eviction",
        "autoscaling/v1, Scale",
        "authentication.k8s.io/v1, TokenRequest",
        "meta.k8s.io/v1, PartialObjectMetadata",
        "rbac.authorization.k8s.io/v1, ClusterRoleBinding",
        "rbac.authorization.plat.io/v1alpha1, ClusterRoleBinding",
        "rbac.authorization.plat.io/v1alpha1, RoleList",
        "authorization.k8s.io/v1, SelfSubjectRulesReview",
        "authorization.k8s.io/v1beta1, SelfSubjectRulesReview",
        "authorization.plat.io/v1beta1, LocalSubjectAccessReview",
        "authorization.plat.io/v1beta1, SelfSubjectAccessReview",
    })
    void haveOne(String apiVersion, String kind) {
        var type = new TypeMeta(apiVersion, kind);
        assertThat(FORMS.find(type))
                .hasValueSatisfying(form -> assertThat(form.type()).isEqualTo(type));
    }

    @ParameterizedTest
    @CsvSource({
        "example.com/v1, Widget",
        "meta.k8s.io/v1, Table",
        "authorization.plat.io/v1beta1, AccessExplanation",
        "authorization.plat.io/v1beta1, SubjectListing",
        "v1, pod",
        "v2, Pod",
        "'', Pod",
        "v1, ''",
        "'', DeleteOptions",
    })
    void haveNone(String apiVersion, String kind) {
        assertThat(FORMS.find(new TypeMeta(apiVersion, kind))).isEmpty();
    }

    @Test
    void everyTypeOfTheSchemasRoundTrips() {
        var without = new TreeSet<String>();
        SchemaFiles.definitions()
                .values()
                .forEach(definition -> definition
                        .path("x-kubernetes-group-version-kind")
                        .forEach(kind -> {
                            String group = kind.path("group").asText();
                            String version = kind.path("version").asText();
                            var type = new TypeMeta(
                                    group.isEmpty() ? version : group + "/" + version,
                                    kind.path("kind").asText());
                            if (FORMS.find(type).isEmpty()) {
                                without.add(type.kind());
                            }
                        }));
        assertThat(without).isEmpty();
        assertThat(FORMS.types())
                .allSatisfy(type -> assertThat(FORMS.find(type)).isPresent());
    }
}
