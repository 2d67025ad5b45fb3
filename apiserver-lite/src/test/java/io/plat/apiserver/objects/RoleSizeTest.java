package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.tree.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RoleSizeTest {
    private static ObjectNode role(int rules, int groups, int resources, int names, int verbs) {
        ObjectNode role = Json.object();
        role.putObject("metadata").put("name", "large");
        ArrayNode list = role.putArray("rules");
        for (int i = 0; i < rules; i++) {
            ObjectNode rule = list.addObject();
            fill(rule, "apiGroups", "g" + i, groups);
            fill(rule, "resources", "r", resources);
            fill(rule, "resourceNames", "n", names);
            fill(rule, "verbs", "v", verbs);
            rule.withArray("verbs").add("get").add("list");
        }
        return role;
    }

    private static void fill(ObjectNode rule, String field, String prefix, int count) {
        for (int i = 0; i < count; i++) {
            rule.withArray(field).add(prefix + i);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 0, 0, false",
        "1200, 30, 30, 30, 30, true",
        "1, 100, 100, 100, 0, false",
        "1, 100, 100, 100, 1, false",
        "1, 100, 100, 100, 2, true",
        "2, 100, 100, 100, 0, true",
        "1000, 10, 100, 0, 1, false",
        "1, 40000, 40000, 40000, 40000, true",
    })
    void expandedRulesAreBounded(int rules, int groups, int resources, int names, int verbs, boolean tooLarge) {
        var causes = new Causes();
        assertThat(RoleRules.isTooLarge(role(rules, groups, resources, names, verbs), causes))
                .isEqualTo(tooLarge);
        assertThat(causes.isEmpty()).isEqualTo(!tooLarge);
    }

    @Test
    void oversizedRoleIsRefusedByEveryWrite() {
        try (Api api = new Api()) {
            String path = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
            String large = role(1200, 30, 30, 30, 30)
                    .put("kind", "ClusterRole")
                    .put("apiVersion", "rbac.authorization.k8s.io/v1")
                    .toString();
            api.given(path, "{\"metadata\":{\"name\":\"small\"}}");
            String toSmall = large.replace("\"large\"", "\"small\"");
            assertRefused(api.post(path, large));
            assertRefused(api.put(path + "/small", toSmall));
            assertRefused(api.apply(path + "/small", "me", toSmall, true));
            assertRefused(api.patch(path + "/small", io.plat.apiserver.patch.PatchFormat.MERGE, toSmall));
            assertRefused(api.patch(path + "/small", io.plat.apiserver.patch.PatchFormat.STRATEGIC_MERGE, toSmall));
        }
    }

    private static void assertRefused(Api.Answer answer) {
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message()).contains("rules: Too many: ").contains("at most 1000000 combinations");
    }
}
