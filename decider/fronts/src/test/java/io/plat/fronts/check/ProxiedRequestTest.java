package io.plat.fronts.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.fronts.check.ProxiedRequest.PathForm;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxiedRequestTest {
    private static String path(String target) throws StatusException {
        return ((NonResourceAttributes) new ProxiedRequest("GET", target, TestingFields.of()).access(PathForm.PATH))
                .path();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /                   | /
        /a                  | /a
        /a/                 | /a/
        /A                  | /A
        /%61dmin            | /admin
        /a%20b              | /a b
        /caf%C3%A9          | /caf\u00e9
        /a?b=/../c;%2f      | /a
        /a.b/.c/..d         | /a.b/.c/..d
        /a,b:c@d!$&'()*+=~  | /a,b:c@d!$&'()*+=~
        """)
    void decodesAPathOnce(String target, String expected) throws StatusException {
        assertThat(path(target)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "*",
                "https://host/a",
                "//a",
                "/a//b",
                "/a/../b",
                "/a/./b",
                "/a/..",
                "/%2e%2e/a",
                "/a/%2E/b",
                "/.%2e/a",
                "/a%2fb",
                "/a%2Fb",
                "/a%5cb",
                "/a\\b",
                "/a;b",
                "/a;/b",
                "/a%3bb",
                "/a%252fb",
                "/a%25",
                "/a%2",
                "/a%zz",
                "/a%00b",
                "/a%0ab",
                "/a%7f",
                "/%c0%af",
                "/%e0%80%af",
                "/%ff",
                "/%ed%a0%80",
                "/a b",
                "/caf\u00e9",
                "/a#b",
                "/a%23b",
                "/a%3fb",
                "/%ef%bc%8f",
                "/%ef%bc%8e%ef%bc%8e/a",
                "/%e2%80%a6",
                "/a%e2%80%8bb",
                "/%e2%80%aea",
                "/admin.",
                "/admin%20",
                "/a./b",
                "/.../a",
                "/a?b#c",
                "/a?b c",
                "/a?\u00e9",
                "/%u002e",
                "/%ef%bd%81dmin"
            })
    void refusesAmbiguousRequests(String target) {
        assertThatThrownBy(() -> path(target))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(400));
    }

    @Test
    void refusesALongPath() throws StatusException {
        String longest = "/" + "a".repeat(ProxiedRequest.MAX_TARGET - 1);
        assertThat(path(longest)).isEqualTo(longest);
        assertThatThrownBy(() -> path(longest + "a")).hasMessageContaining("longer than 8192 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "get", "Get", "GET ", "G\u0000T", "-", "GE/T"})
    void refusesAMethodThatIsNotInUpperCase(String method) {
        assertThatThrownBy(() -> new ProxiedRequest(method, "/", TestingFields.of()).access(PathForm.PATH))
                .hasMessageContaining("the method");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        X-HTTP-Method-Override: DELETE          | false
        X-HTTP-Method-Override: get             | true
        X-HTTP-Method: PUT                      | false
        X-Method-Override: PUT                  | false
        X-Original-URL: /admin                  | false
        X-Original-URL: /a                      | true
        X-Original-URL: https://host/a          | true
        X-Original-URL: https://host/admin      | false
        X-Rewrite-URL: /admin                   | false
        X-Forwarded-Host: one                   | true
        X_HTTP_Method_Override: DELETE          | false
        x-http_method-override: GET             | false
        X_Auth-User: root                       | false
        ssl_client-cert: a                      | false
        A_B: c                                  | true
        Upgrade: websocket                      | true
        Upgrade: a, H2C                         | false
        HTTP2-Settings: AAMAAABkAAQAAP__        | false
        """)
    void refusesOverridesOfMethodAndPath(String field, boolean accepted) {
        ProxiedRequest request = new ProxiedRequest("GET", "/a", TestingFields.of(field));
        if (accepted) {
            assertThat(access(request)).isEqualTo(new NonResourceAttributes("/a", "get"));
        } else {
            assertThatThrownBy(() -> request.access(PathForm.PATH)).hasMessageContaining("ambiguous request");
        }
    }

    private static Object access(ProxiedRequest request) {
        try {
            return request.access(PathForm.PATH);
        } catch (StatusException e) {
            return e;
        }
    }

    @Test
    void readsResourcesOfAnApiServer() throws StatusException {
        ProxiedRequest request =
                new ProxiedRequest("GET", "/apis/apps/v1/namespaces/a/deployments/d", TestingFields.of());
        assertThat(request.access(PathForm.RESOURCE))
                .isEqualTo(new ResourceAttributes("a", "get", "apps", "v1", "deployments", "", "d", null, null));
        assertThat(new ProxiedRequest("OPTIONS", "/version", TestingFields.of()).access(PathForm.RESOURCE))
                .isEqualTo(new NonResourceAttributes("/version", "options"));
        assertThatThrownBy(() ->
                        new ProxiedRequest("GET", "/api/v1/pods/a%23", TestingFields.of()).access(PathForm.RESOURCE))
                .hasMessageContaining("encoded");
    }
}
