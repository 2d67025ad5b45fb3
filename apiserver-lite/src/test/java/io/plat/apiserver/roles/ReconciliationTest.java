package io.plat.apiserver.roles;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.roles.DefaultRoles.DefaultRoleObject;
import io.plat.engine.rbac.RbacKind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReconciliationTest {
    private static final String PODS = "{'verbs':['get','list'],'apiGroups':[''],'resources':['pods']}";

    private static Optional<ObjectNode> of(RbacKind kind, String expected, String existing) {
        return DefaultRoles.completed(new DefaultRoleObject(kind, RoleStore.json(expected)), RoleStore.json(existing));
    }

    private static String role(String metadata, String rules) {
        return "{'metadata':{" + metadata + "},'rules':[" + rules + "]}";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        the same                     | {'verbs':['get','list'],'apiGroups':[''],'resources':['pods']}                             | -
        more                         | {'verbs':['*'],'apiGroups':[''],'resources':['pods','secrets']}                            | -
        in two rules                 | {'verbs':['get'],'apiGroups':[''],'resources':['pods']},{'verbs':['list'],'apiGroups':[''],'resources':['pods']} | -
        a missing verb               | {'verbs':['get'],'apiGroups':[''],'resources':['pods']}                                    | {"verbs":["list"],"apiGroups":[""],"resources":["pods"]}
        all rules missing            |                                                                                            | {"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]}
        other rules                  | {'verbs':['get','list'],'apiGroups':['apps'],'resources':['pods']}                         | {"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]}
        """)
    void missingRulesAreAddedAndAdditionsKept(String what, String there, String added) {
        String rules = there == null ? "" : there;
        Optional<ObjectNode> completed = of(RbacKind.CLUSTER_ROLE, role("'name':'r'", PODS), role("'name':'r'", rules));
        String all = added.equals("-") ? rules : rules + (rules.isEmpty() ? "" : ",") + added;
        assertThat(completed).as(what).contains(RoleStore.json(role("'name':'r'", all)));
    }

    @Test
    void autoupdateFalseIsHonoured() {
        String existing = role("'name':'r','annotations':{'rbac.authorization.kubernetes.io/autoupdate':'false'}", "");
        assertThat(of(RbacKind.CLUSTER_ROLE, role("'name':'r'", PODS), existing))
                .contains(RoleStore.json(existing));
    }

    @Test
    void labelsAndAnnotationsAreAddedAndKeepTheirValues() {
        String expected = role("'name':'r','labels':{'a':'1','b':'2'},'annotations':{'c':'3'}", "");
        String existing = role("'name':'r','labels':{'a':'mine','own':'x'}", "");
        assertThat(of(RbacKind.CLUSTER_ROLE, expected, existing))
                .contains(RoleStore.json(
                        role("'name':'r','labels':{'a':'mine','own':'x','b':'2'},'annotations':{'c':'3'}", "")));
    }

    @Test
    void aggregationIsAddedExtendedAndRemoved() {
        String plain = "{'metadata':{'name':'r'}}";
        String one = "{'metadata':{'name':'r'},'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'a':'b'}}]}}";
        String other = one.replace("{'a':'b'}", "{'c':'d'}");
        String both =
                one.replace("[{'matchLabels':{'a':'b'}}]", "[{'matchLabels':{'c':'d'}},{'matchLabels':{'a':'b'}}]");
        assertThat(of(RbacKind.CLUSTER_ROLE, one, plain)).contains(RoleStore.json(one));
        assertThat(of(RbacKind.CLUSTER_ROLE, one, other)).contains(RoleStore.json(both));
        assertThat(of(RbacKind.CLUSTER_ROLE, one, both)).contains(RoleStore.json(both));
        assertThat(of(RbacKind.CLUSTER_ROLE, plain, one)).contains(RoleStore.json(plain));
    }

    @Test
    void subjectsAreAddedAndChangedRoleRefReplacesTheBinding() {
        String ref = "'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'r'}";
        String a = "{'kind':'Group','name':'a','apiGroup':'rbac.authorization.k8s.io'}";
        String b = a.replace("'a',", "'b',");
        String binding = "{'metadata':{'name':'x'}," + ref + ",'subjects':[%s]}";
        assertThat(of(RbacKind.CLUSTER_ROLE_BINDING, binding.formatted(a), binding.formatted(b + "," + a)))
                .contains(RoleStore.json(binding.formatted(b + "," + a)));
        assertThat(of(RbacKind.CLUSTER_ROLE_BINDING, binding.formatted(a), binding.formatted(b)))
                .contains(RoleStore.json(binding.formatted(b + "," + a)));
        assertThat(of(RbacKind.CLUSTER_ROLE_BINDING, binding.formatted(a), "{'metadata':{'name':'x'}," + ref + "}"))
                .contains(RoleStore.json(binding.formatted(a)));
        assertThat(of(
                        RbacKind.CLUSTER_ROLE_BINDING,
                        binding.formatted(a),
                        binding.formatted(a).replace("'r'", "'q'")))
                .isEmpty();
    }
}
