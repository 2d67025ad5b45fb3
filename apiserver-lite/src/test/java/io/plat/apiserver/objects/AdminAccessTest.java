package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.operations.Api;
import io.plat.apiserver.options.WriteOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Access to devices in use requires a label of the namespace, which its administrator cannot set. */
class AdminAccessTest {
    private static final String REFUSED =
            "spec.devices.requests[1].adminAccess: Forbidden: admin access to devices requires the"
                    + " `resource.kubernetes.io/admin-access: true` label on the containing namespace";

    private final Api api = new Api();

    @BeforeEach
    void givenNamespaces() {
        api.given("/api/v1/namespaces", "{\"metadata\":{\"name\":\"plain\"}}");
        for (String value : new String[] {"true", "false"}) {
            api.given("/api/v1/namespaces", """
                    {"metadata":{"name":"%1$s","labels":{"resource.kubernetes.io/admin-access":"%1$s"}}}""".formatted(value));
        }
    }

    @AfterEach
    void close() {
        api.close();
    }

    @ParameterizedTest
    @CsvSource({
        "plain, true, 422",
        "false, true, 422",
        "true, true, 201",
        "plain, false, 201",
        "true, false, 201",
    })
    void labelIsRequired(String namespace, boolean admin, int code) {
        String spec = """
                {"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"c"}},
                {"name":"b","exactly":{"deviceClassName":"c","adminAccess":%s}}]}}""".formatted(admin);
        String path = "/apis/resource.k8s.io/v1/namespaces/" + namespace + "/";
        String head = "{\"metadata\":{\"name\":\"x\"},\"spec\":";
        for (Api.Answer answer : new Api.Answer[] {
            api.post(path + "resourceclaims", head + spec + "}", WriteOptions.DEFAULT),
            api.post(path + "resourceclaimtemplates", head + "{\"spec\":" + spec + "}}", WriteOptions.DEFAULT),
        }) {
            assertThat(answer.code()).as(answer.message()).isEqualTo(code);
            if (code == 422) {
                assertThat(answer.message()).endsWith("\"x\" is invalid: " + REFUSED);
            }
        }
    }
}
