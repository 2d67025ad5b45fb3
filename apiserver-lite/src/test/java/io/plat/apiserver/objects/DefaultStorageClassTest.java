package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.operations.Api;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Storage class of new claims. */
class DefaultStorageClassTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {}                                              | {}                                              | ''                            | -
            {'storageclass.kubernetes.io/is-default-class':'true'}      | {}                                  | ''                            | b
            {'storageclass.beta.kubernetes.io/is-default-class':'true'} | {}                                  | ''                            | b
            {'storageclass.kubernetes.io/is-default-class':'false'}     | {}                                  | ''                            | -
            {'storageclass.kubernetes.io/is-default-class':'true'}      | {}                                  | 'storageClassName':'a',       | a
            {'storageclass.kubernetes.io/is-default-class':'true'}      | {'volume.beta.kubernetes.io/storage-class':'a'} | ''                | -
            """)
    void defaultClassAppliesToClaimsWithoutAClass(String marks, String annotations, String chosen, String expected) {
        try (Api api = new Api()) {
            for (String name : new String[] {"a", "b"}) {
                String metadata = "{'name':'" + name + "','annotations':" + (name.equals("b") ? marks : "{}") + "}";
                api.given(
                        "/apis/storage.k8s.io/v1/storageclasses",
                        ("{'provisioner':'x.example','metadata':" + metadata + "}").replace('\'', '"'));
            }
            String spec = (chosen.equals("''") ? "" : chosen)
                    + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}";
            String claim = "{'metadata':{'name':'c','annotations':" + annotations + "},'spec':{" + spec + "}}";
            assertThat(api.given("/api/v1/namespaces/default/persistentvolumeclaims", claim.replace('\'', '"'))
                            .path("spec")
                            .path("storageClassName")
                            .asText("-"))
                    .isEqualTo(expected);
        }
    }
}
