package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.apiserver.RestoredAccess.Grant;
import io.plat.apiserver.storage.Key;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Listing of the grants that a restored store brings back. */
final class RestoredAccessTest {
    private static final String GROUP = ".rbac.authorization.k8s.io";
    private static final String GET = "{\"verbs\":[\"get\"]}";
    private static final String ALL = "{\"verbs\":[\"*\"]}";
    private static final String GATHERS = "{\"clusterRoleSelectors\":[{}]}";

    private final ObjectMapper json = new ObjectMapper();
    private final Map<Key, Grant> before = new TreeMap<>();
    private final Map<Key, Grant> after = new TreeMap<>();

    private Grant grant(String what, String by) throws Exception {
        return new Grant(
                json.readTree(what), by.isEmpty() ? json.createObjectNode().path("absent") : json.readTree(by));
    }

    private void role(Map<Key, Grant> store, String name, String rules, String gathers) throws Exception {
        store.put(new Key("clusterroles" + GROUP, "", name), grant(rules, gathers));
    }

    @Test
    void widenedRolesAreListed() throws Exception {
        role(before, "narrowed", "[" + GET + "]", "");
        role(after, "narrowed", "[" + GET + "," + ALL + "]", "");
        role(after, "deleted", "[" + GET + "]", "");
        role(after, "deleted-and-empty", "[]", "");
        role(before, "gathers", "[]", "");
        role(after, "gathers", "[]", GATHERS);
        role(before, "widened", "[" + ALL + "," + GET + "]", GATHERS);
        role(after, "widened", "[" + GET + "]", "");
        role(before, "same", "[" + GET + "]", GATHERS);
        role(after, "same", "[" + GET + "]", GATHERS);
        assertThat(RestoredAccess.text(before, after)).isEqualTo("""
            roles or rules that the replaced store did not have: 3
              ClusterRole deleted
              ClusterRole gathers, with additional rules
              ClusterRole narrowed, with additional rules
            """);
    }

    @Test
    void accountsAndSecretsWithRevalidatedTokensAreListed() throws Exception {
        for (String resource : List.of("serviceaccounts", "secrets", "pods")) {
            for (String name : List.of("same", "recreated", "deleted")) {
                after.put(new Key(resource, "team", name), grant("\"1\"", ""));
            }
            before.put(new Key(resource, "team", "same"), grant("\"1\"", ""));
            before.put(new Key(resource, "team", "recreated"), grant("\"2\"", ""));
            before.put(new Key(resource, "team", "later"), grant("\"3\"", ""));
        }
        assertThat(RestoredAccess.text(before, after)).isEqualTo("""
            accounts, secrets and pods that the replaced store did not have, and tokens issued for them are valid again: 6
              Pod team/deleted
              Pod team/recreated
              Secret team/deleted
              Secret team/recreated
              ServiceAccount team/deleted
              ServiceAccount team/recreated
            """);
    }

    @Test
    void lostPoliciesAreListed() throws Exception {
        for (String kind : List.of(
                "validatingadmissionpolicies.admissionregistration.k8s.io",
                "validatingadmissionpolicybindings.admissionregistration.k8s.io",
                "customresourcedefinitions.apiextensions.k8s.io",
                "namespaces")) {
            before.put(new Key(kind, "", "same"), grant("{\"a\":1}", ""));
            after.put(new Key(kind, "", "same"), grant("{\"a\":1}", ""));
            before.put(new Key(kind, "", "tightened"), grant("{\"a\":1}", ""));
            after.put(new Key(kind, "", "tightened"), grant("{\"a\":2}", ""));
            before.put(new Key(kind, "", "later"), grant("{\"a\":1}", ""));
            after.put(new Key(kind, "", "back"), grant("{\"a\":1}", ""));
        }
        assertThat(RestoredAccess.text(before, after)).isEqualTo("""
            admission policies and bindings that only the replaced store had: 4
              ValidatingAdmissionPolicy later
              ValidatingAdmissionPolicy tightened, in another form
              ValidatingAdmissionPolicyBinding later
              ValidatingAdmissionPolicyBinding tightened, in another form
            forms of custom types and namespaces that only the replaced store had: 2
              CustomResourceDefinition tightened
              Namespace tightened
            """);
    }

    @Test
    void namesAreEscapedForTheTerminal() throws Exception {
        role(before, "some", "[]", "");
        after.put(new Key("rolebindings" + GROUP, "team", "x\u202ey\u200b\u009b31m"), grant("[]", "{}"));
        assertThat(RestoredAccess.text(before, after)).isEqualTo("""
            role bindings that the replaced store did not have: 1
              RoleBinding team/"x\\u202ey\\u200b\\u009b31m"
            """);
    }

    @Test
    void unreadableStoreIsReported() throws Exception {
        role(after, "some", "[]", "");
        assertThat(RestoredAccess.text(before, after))
                .isEqualTo("access that was revoked since the backup is not listed: no earlier role objects could be"
                        + " read\n");
    }
}
