package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Impersonation under RBAC: each attribute requires its own permission. */
class ImpersonationTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    private static StandaloneServer server;
    private static HttpsClient helper;
    private static HttpsClient nobody;

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.startWithRoles();
        server.pki().client("helper").client("nobody");
        helper = HttpsClient.of(server.pki(), "helper");
        nobody = HttpsClient.of(server.pki(), "nobody");
        grant("helps", "{\"kind\":\"User\",\"name\":\"helper\",\"apiGroup\":\"rbac.authorization.k8s.io\"}", """
                {"apiGroups":[""],"resources":["users"],"verbs":["impersonate"],"resourceNames":["bob","system:anonymous"]},
                {"apiGroups":[""],"resources":["groups"],"verbs":["impersonate"],"resourceNames":["readers"]},
                {"apiGroups":[""],"resources":["serviceaccounts"],"verbs":["impersonate"],"resourceNames":["robot"]},
                {"apiGroups":["authentication.k8s.io"],"resources":["uids"],"verbs":["impersonate"],"resourceNames":["7"]},
                {"apiGroups":["authentication.k8s.io"],"resources":["userextras/scopes","userextras/acme.com/project"],
                 "verbs":["impersonate"],"resourceNames":["view"]}""");
        grant("reads", "{\"kind\":\"Group\",\"name\":\"readers\",\"apiGroup\":\"rbac.authorization.k8s.io\"}", """
                {"apiGroups":[""],"resources":["configmaps"],"verbs":["list"]}""");
        grant(
                "asks",
                "{\"kind\":\"Group\",\"name\":\"system:authenticated\",\"apiGroup\":\"rbac.authorization.k8s.io\"}",
                """
                {"apiGroups":["authentication.k8s.io"],"resources":["selfsubjectreviews"],"verbs":["create"]}""");
        grant("acts", "{\"kind\":\"User\",\"name\":\"limited\",\"apiGroup\":\"rbac.authorization.k8s.io\"}", """
                {"apiGroups":["authentication.k8s.io"],"resources":["selfsubjectreviews"],
                 "verbs":["impersonate-on:user-info:create","impersonate-on:arbitrary-node:create","impersonate-on:serviceaccount:create"]},
                {"apiGroups":["authentication.k8s.io"],"resources":["users"],"verbs":["impersonate:user-info"],"resourceNames":["bob"]},
                {"apiGroups":["authentication.k8s.io"],"resources":["groups","userextras/*","userextras/a.io/b"],"verbs":["impersonate:user-info"]},
                {"apiGroups":["authentication.k8s.io"],"resources":["nodes"],"verbs":["impersonate:arbitrary-node"]},
                {"apiGroups":["authentication.k8s.io"],"resources":["serviceaccounts"],"verbs":["impersonate:serviceaccount"],"resourceNames":["robot"]}""");
    }

    private static void grant(String name, String subject, String rules) throws IOException {
        created("clusterroles", """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"%s"},"rules":[%s]}""".formatted(name, rules));
        created("clusterrolebindings", """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"%1$s"},
                 "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"%1$s"},"subjects":[%2$s]}""".formatted(name, subject));
    }

    private static void created(String resource, String object) throws IOException {
        HttpResponse<String> answer = server.client().post(server.at(RBAC + resource), object);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        helper.close();
        nobody.close();
        server.close();
    }

    /** Returns a client with headers, written {@code Name: value | Name: value}. */
    private static HttpsClient with(HttpsClient client, String headers) {
        HttpsClient result = client;
        for (String header : headers.split(" \\| ", -1)) {
            String[] parts = header.split(": ", 2);
            result = result.withHeader("Impersonate-" + parts[0].strip(), parts[1].strip());
        }
        return result;
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            User: bob                                       ; 201 ; "username":"bob","groups":["system:authenticated"]
            User: bob | Group: readers                      ; 201 ; "groups":["readers","system:authenticated"]
            User: bob | Uid: 7                              ; 201 ; "uid":"7"
            User: bob | Extra-Scopes: view                  ; 201 ; "extra":{"scopes":["view"]}
            User: bob | Extra-acme.com%2Fproject: view      ; 201 ; "extra":{"acme.com/project":["view"]}
            User: system:serviceaccount:default:robot       ; 201 ; ["system:serviceaccounts","system:serviceaccounts:default","system:authenticated"]
            User: eve                                       ; 403 ; users \\"eve\\" is forbidden: User \\"helper\\" cannot impersonate resource \\"users\\" in API group \\"\\" at the cluster scope
            User: bob | Group: readers | Group: system:masters ; 403 ; groups \\"system:masters\\" is forbidden: User \\"helper\\" cannot impersonate resource \\"groups\\"
            User: system:serviceaccount:default:other       ; 403 ; cannot impersonate resource \\"serviceaccounts\\"
            User: bob | Uid: 8                              ; 403 ; uids.authentication.k8s.io \\"8\\" is forbidden
            User: bob | Extra-Scopes: view | Extra-Scopes: edit ; 403 ; userextras.authentication.k8s.io \\"edit\\" is forbidden
            User: bob | Extra-other: view                   ; 403 ; cannot impersonate resource \\"userextras/other\\"
            Group: readers                                  ; 400 ; requested [{Group  readers    }] without impersonating a user
            """)
    void eachAttributeRequiresItsOwnPermission(String headers, int code, String message) throws IOException {
        // A refusal is about the mode that succeeded last.
        assertThat(with(helper, "User: bob").post(server.at(WHO), "{}").statusCode())
                .isEqualTo(201);
        HttpResponse<String> answer = with(helper, headers).post(server.at(WHO), "{}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        assertThat(answer.body()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            User: bob                                  ; 201 ; "username":"bob","groups":["system:authenticated"]
            User: bob | Group: any                     ; 201 ; "groups":["any","system:authenticated"]
            User: system:node:n1                       ; 201 ; "groups":["system:nodes","system:authenticated"]
            User: system:serviceaccount:default:robot  ; 201 ; "system:serviceaccounts:default"
            User: eve                                  ; 403 ; users.authentication.k8s.io \\"eve\\" is forbidden: User \\"limited\\" cannot impersonate:user-info resource
            User: bob | Group: system:masters          ; 403 ; impersonating the system:masters group is not allowed
            User: bob | Extra-A.io%2Fb: v              ; 201 ; "extra":{"a.io/b":["v"]}
            User: bob | Extra-Scopes: v                ; 403 ; impersonating an invalid key in extra is not allowed: extra.key: Invalid value: \\"scopes\\": must be a domain-prefixed path
            User: system:serviceaccount:default:other  ; 403 ; cannot impersonate:serviceaccount resource \\"serviceaccounts\\"
            User: system:node:n1 | Group: any          ; 403 ; users \\"system:node:n1\\" is forbidden: User \\"limited\\" cannot impersonate resource
            """)
    void constrainedImpersonationAlsoDependsOnTheRequest(String headers, int code, String message) throws IOException {
        try (HttpsClient limited = HttpsClient.of(server.pki().client("limited"), "limited")) {
            HttpResponse<String> answer = with(limited, headers).post(server.at(WHO), "{}");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
            assertThat(answer.body()).contains(message);
            HttpResponse<String> other = with(limited, headers).get(server.at("/api/v1/namespaces/default/secrets"));
            assertThat(other.statusCode()).isEqualTo(403);
            assertThat(other.body()).contains("User \\\"limited\\\" cannot impersonate");
        }
    }

    @Test
    void impersonatedRequestHasOnlyTheRightsOfTheImpersonatedUser() throws IOException {
        String maps = "/api/v1/namespaces/default/configmaps";
        assertThat(helper.get(server.at(maps)).statusCode()).isEqualTo(403);
        assertThat(with(helper, "User: bob | Group: readers")
                        .get(server.at(maps))
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> denied = with(helper, "User: bob").get(server.at(maps));
        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(denied.body()).contains("User \\\"bob\\\" cannot list resource");
        HttpResponse<String> admin = with(server.client(), "User: bob").get(server.at(maps));
        assertThat(admin.statusCode())
                .as("an administrator who impersonates has no administrator permissions")
                .isEqualTo(403);
        assertThat(with(server.client(), "User: bob | Group: system:masters")
                        .get(server.at(maps))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void anonymousIsNotAuthenticated() throws IOException {
        HttpResponse<String> denied = with(helper, "User: system:anonymous").post(server.at(WHO), "{}");
        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(denied.body()).contains("User \\\"system:anonymous\\\" cannot create resource");
    }

    @Test
    void callerWithoutPermissionIsDenied() throws IOException {
        HttpResponse<String> denied = with(nobody, "User: bob").post(server.at(WHO), "{}");
        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(denied.body())
                .contains("selfsubjectreviews.authentication.k8s.io is forbidden: User \\\"nobody\\\" cannot"
                        + " impersonate-on:user-info:create resource \\\"selfsubjectreviews\\\"");
        assertThat(with(nobody, "Foo: bob").post(server.at(WHO), "{}").body()).contains("\"username\":\"nobody\"");
    }
}
