package io.plat.tests.apiserver.escalation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Updates of role objects with rules beyond the author's: the check applies to the resulting object as a whole. */
class RoleUpdatesTest {
    private static final RoleTexts FIELD = RoleTexts.ofKubernetes();
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    private static final String MERGE = "application/merge-patch+json";

    private static EscalationServer server;

    @BeforeAll
    static void start() {
        server = EscalationServer.start("RBAC", List.of("alice-token,alice,", "bob-token,bob,"));
        ObjectNode held = FIELD.object("clusterrole", "held");
        held.set("rules", FIELD.rules(List.of("get core pods", "delete rbac.authorization.k8s.io clusterroles")));
        server.make("clusterrole", "", held);
        ObjectNode binding = FIELD.object("clusterrolebinding", "held");
        binding.set("subjects", FIELD.subjects("User", "alice"));
        binding.set("roleRef", FIELD.roleRef("clusterrole", "held", ""));
        server.make("clusterrolebinding", "", binding);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void strong(String name) {
        ObjectNode role = FIELD.object("clusterrole", name);
        role.set("rules", FIELD.rules(List.of("get core pods", "* core secrets")));
        server.make("clusterrole", "", role);
    }

    private static HttpResponse<String> alice(String method, String path, String type, String body) {
        return server.as("alice-token", method, path, type, body);
    }

    private static ObjectNode read(String path) {
        try {
            return (ObjectNode)
                    RoleTexts.JSON.readTree(server.admin("GET", path, "").body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        shrinking to what is still not held | {"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["secrets"]}]} | 403
        shrinking to what is held           | {"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]}    | 200
        taking all rules away               | {"rules":null}                                                       | 200
        only a label                        | {"metadata":{"labels":{"a":"b"}}}                                     | 403
        only an annotation                  | {"metadata":{"annotations":{"a":"b"}}}                                | 403
        nothing at all                      | {}                                                                   | 200
        what is so already                  | {"metadata":{"labels":{"pick":"%s"}}}                                 | 200
        only a finalizer                    | {"metadata":{"finalizers":["example.com/hold"]}}                      | 200
        only an owner                       | {"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Namespace","name":"default","uid":"%s"}]}} | 200
        a finalizer and a label             | {"metadata":{"finalizers":["example.com/hold"],"labels":{"a":"b"}}}   | 403
        """)
    void wholeObjectIsChecked(String what, String patch, int code) {
        String name = what.replace(' ', '-');
        strong(name);
        String uid = read("/api/v1/namespaces/default").at("/metadata/uid").asText();
        String body = patch.contains("ownerReferences") ? patch.formatted(uid) : patch.replace("%s", name);
        HttpResponse<String> answer = alice("PATCH", ROLES + "/" + name, MERGE, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        if (code == 403) {
            assertThat(answer.body())
                    .contains("{APIGroups:[\\\"\\\"], Resources:[\\\"secrets\\\"], Verbs:[\\\""
                            + (what.startsWith("shrinking") ? "get" : "*") + "\\\"]}");
        }
    }

    @Test
    void unchangedRoleMayBeWritten() {
        strong("identical");
        ObjectNode same = read(ROLES + "/identical");
        assertThat(alice("PUT", ROLES + "/identical", "application/json", same.toString())
                        .statusCode())
                .isEqualTo(200);
        same.withObject("/metadata").remove("resourceVersion");
        assertThat(alice("PUT", ROLES + "/identical", "application/json", same.toString())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void rulesNotHeldMayBeRemoved() {
        strong("deletable");
        assertThat(alice("DELETE", ROLES + "?labelSelector=pick%3Ddeletable", "application/json", "")
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.admin("GET", ROLES + "/deletable", "").statusCode()).isEqualTo(404);
    }

    @Test
    void removingAnAggregationRequiresAllRights() {
        ObjectNode role = FIELD.object("clusterrole", "gathering");
        role.set("aggregationRule", RoleTexts.aggregation("gathered-by-nobody"));
        server.make("clusterrole", "", role);
        HttpResponse<String> answer = alice("PATCH", ROLES + "/gathering", MERGE, "{\"aggregationRule\":null}");
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("must have cluster-admin privileges to use the aggregationRule");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/strategic-merge-patch+json", "application/apply-patch+yaml"})
    void everyPatchTypeIsChecked(String type) {
        strong("patched-" + type.hashCode());
        String path = ROLES + "/patched-" + type.hashCode();
        String patch =
                "{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"patched-"
                        + type.hashCode()
                        + "\"},\"rules\":[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}]}";
        JsonNode before = read(path);
        HttpResponse<String> answer = alice(
                "PATCH", path + "?fieldManager=alice" + (type.contains("apply") ? "&force=true" : ""), type, patch);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
        assertThat(read(path)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice", "admin"})
    void roleRefIsImmutable(String who) {
        strong("other-" + who);
        ObjectNode binding = FIELD.object("clusterrolebinding", "fixed-" + who);
        binding.set("roleRef", FIELD.roleRef("clusterrole", "held", ""));
        server.make("clusterrolebinding", "", binding);
        binding.set("roleRef", FIELD.roleRef("clusterrole", "other-" + who, ""));
        String path = BINDINGS + "/fixed-" + who;
        HttpResponse<String> answer = who.equals("admin")
                ? server.admin("PUT", path, binding.toString())
                : alice("PUT", path, "application/json", binding.toString());
        if (who.equals("alice")) {
            assertThat(answer.statusCode()).isEqualTo(403);
            return;
        }
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(answer.body())
                .contains("roleRef: Invalid value:"
                        + " {\\\"APIGroup\\\":\\\"rbac.authorization.k8s.io\\\",\\\"Kind\\\":\\\"ClusterRole\\\",\\\"Name\\\":\\\"other-admin\\\"}:"
                        + " cannot change roleRef");
    }

    @Test
    void generateNameDoesNotBypassTheCheck() {
        ObjectNode role = FIELD.object("clusterrole", "x");
        ObjectNode metadata = (ObjectNode) role.path("metadata");
        metadata.remove("name");
        metadata.put("generateName", "any-");
        role.set("rules", FIELD.rules(List.of("get core secrets")));
        assertThat(alice("POST", ROLES, "application/json", role.toString()).statusCode())
                .isEqualTo(403);
    }

    @Test
    void relinquishedRightsAreLost() {
        ObjectNode role = FIELD.object("clusterrole", "for-a-while");
        role.set("rules", FIELD.rules(List.of("get core configmaps")));
        server.make("clusterrole", "", role);
        for (int i = 0; i < 20; i++) {
            ObjectNode binding = FIELD.object("clusterrolebinding", "for-a-while");
            binding.set("subjects", FIELD.subjects("User", "bob"));
            binding.set("roleRef", FIELD.roleRef("clusterrole", "for-a-while", ""));
            server.make("clusterrolebinding", "", binding);
            assertThat(bobCreates(i).statusCode())
                    .as("while the permission is held")
                    .isEqualTo(201);
            server.admin("DELETE", BINDINGS + "/for-a-while", "");
            assertThat(bobCreates(100 + i).statusCode())
                    .as("after its revocation")
                    .isEqualTo(403);
        }
    }

    @Test
    void changeTakesEffectWithItsResponse() {
        ObjectNode role = FIELD.object("clusterrole", "switched");
        role.set("rules", FIELD.rules(List.of("list core configmaps")));
        server.make("clusterrole", "", role);
        ObjectNode binding = FIELD.object("clusterrolebinding", "switched");
        binding.set("subjects", FIELD.subjects("User", "bob"));
        binding.set("roleRef", FIELD.roleRef("clusterrole", "switched", ""));
        long[] nanos = new long[100];
        for (int i = 0; i < nanos.length; i++) {
            boolean isAllowed = i % 2 == 0;
            if (isAllowed) {
                server.make("clusterrolebinding", "", binding);
            } else {
                server.admin("DELETE", BINDINGS + "/switched", "");
            }
            long answered = System.nanoTime();
            // The first request after the response is decided by the change, without waiting.
            int code = server.as("bob-token", "GET", "/api/v1/namespaces/default/configmaps", "application/json", "")
                    .statusCode();
            nanos[i] = System.nanoTime() - answered;
            assertThat(code).isEqualTo(isAllowed ? 200 : 403);
        }
        Arrays.sort(nanos);
        System.out.printf(
                "from the answer of a write to the answer of a request that it decides: %.2f ms in the middle, %.2f ms"
                        + " at worst%n",
                nanos[50] / 1e6, nanos[99] / 1e6);
    }

    private static HttpResponse<String> bobCreates(int number) {
        ObjectNode role = FIELD.object("clusterrole", "bobs-" + number);
        role.set("rules", FIELD.rules(List.of("get core configmaps")));
        return server.as("bob-token", "POST", ROLES, "application/json", role.toString());
    }
}
