package io.plat.apiserver.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.StorageException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Role objects have one stored form in two API groups: objects written in one are readable in the other. */
final class ObjectConversionTest {
    private static final String K8S = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
    private static final String PLAT = "/apis/rbac.authorization.plat.io/v1alpha1/namespaces/default/rolebindings";

    private final Api api = new Api();

    @AfterEach
    void close() {
        api.close();
    }

    private static ObjectNode content(ObjectNode object) {
        ObjectNode content = object.deepCopy();
        content.remove(List.of("metadata", "kind", "apiVersion"));
        return content;
    }

    @Test
    void kubernetesBindingIsConvertedToTheSpecificationsVersion() throws StorageException {
        api.given(
                K8S,
                "{\"metadata\":{\"name\":\"b\"},\"subjects\":[{\"kind\":\"User\",\"apiGroup\":\"rbac.authorization.k8s.io\","
                        + "\"name\":\"alice\"},{\"kind\":\"ServiceAccount\",\"name\":\"robot\",\"namespace\":\"default\"}],"
                        + "\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Role\",\"name\":\"r\"}}");
        ObjectNode read = api.get(PLAT + "/b").body();
        assertThat(read.path("apiVersion").asText()).isEqualTo("rbac.authorization.plat.io/v1alpha1");
        assertThat(content(read))
                .isEqualTo(Api.tree("{\"subjects\":[{\"kind\":\"User\",\"name\":\"alice\","
                        + "\"apiVersion\":\"rbac.authorization.plat.io/v1alpha1\"},{\"kind\":\"ServiceAccount\",\"name\":\"robot\","
                        + "\"namespace\":\"default\",\"apiVersion\":\"v1\"}],\"roleRef\":{\"apiGroup\":\"rbac.authorization.plat.io\","
                        + "\"kind\":\"Role\",\"name\":\"r\"}}"));
        assertThat(api.store.latest().count(KeyRange.of("rolebindings.rbac.authorization.k8s.io")))
                .isEqualTo(1);
    }

    /** As a kube-apiserver annotates them. */
    @Test
    void metricsAndBehaviorAreAnnotationsOfTheEarlierAutoscaler() {
        String spec =
                "{'scaleTargetRef':{'kind':'Deployment','name':'d','apiVersion':'apps/v1'},'maxReplicas':2,'metrics':["
                        + "{'type':'Pods','pods':{'metric':{'name':'m','selector':{'matchLabels':{'a':'b'}}},"
                        + "'target':{'type':'AverageValue','averageValue':'1'}}},"
                        + "{'type':'Object','object':{'describedObject':{'kind':'Service','name':'s'},'metric':{'name':'m'},"
                        + "'target':{'type':'Value','value':'10'}}},"
                        + "{'type':'ContainerResource','containerResource':{'name':'memory','container':'c',"
                        + "'target':{'type':'Utilization','averageUtilization':50}}}],"
                        + "'behavior':{'scaleDown':{'policies':[{'type':'Percent','value':10,'periodSeconds':10}],"
                        + "'selectPolicy':'Max'}}}";
        String scalers = "/apis/autoscaling/%s/namespaces/default/horizontalpodautoscalers";
        api.given(scalers.formatted("v2"), ("{'metadata':{'name':'a'},'spec':" + spec + "}").replace('\'', '"'));
        ObjectNode earlier = api.get(scalers.formatted("v1") + "/a").body();
        JsonNode annotations = earlier.path("metadata").path("annotations");
        assertThat(annotations.path("autoscaling.alpha.kubernetes.io/metrics").asText())
                .isEqualTo(
                        ("[{'type':'Pods','pods':{'metricName':'m','targetAverageValue':'1','selector':{'matchLabels':{'a':'b'}}}},"
                                        + "{'type':'Object','object':{'target':{'kind':'Service','name':'s'},'metricName':'m',"
                                        + "'targetValue':'10'}},{'type':'ContainerResource','containerResource':{'name':'memory',"
                                        + "'targetAverageUtilization':50,'container':'c'}}]")
                                .replace('\'', '"'));
        assertThat(annotations.path("autoscaling.alpha.kubernetes.io/behavior").asText())
                .isEqualTo(
                        ("{'ScaleUp':{'StabilizationWindowSeconds':0,'SelectPolicy':'Max','Policies':[{'Type':'Pods','Value':4,'PeriodSeconds':15},{'Type':'Percent','Value':100,'PeriodSeconds':15}],'Tolerance':null},'ScaleDown':{'StabilizationWindowSeconds':null,'SelectPolicy':'Max','Policies':"
                                        + "[{'Type':'Percent','Value':10,'PeriodSeconds':10}],'Tolerance':null}}")
                                .replace('\'', '"'));
        ((ObjectNode) earlier.path("metadata")).put("name", "b").remove("resourceVersion");
        api.given(scalers.formatted("v1"), earlier.toString());
        JsonNode before = api.get(scalers.formatted("v2") + "/a").body().path("spec");
        JsonNode after = api.get(scalers.formatted("v2") + "/b").body().path("spec");
        assertThat(after.path("metrics")).isEqualTo(before.path("metrics"));
        assertThat(after.path("behavior")).isEqualTo(before.path("behavior"));
    }

    @Test
    void allFormsOfSubjectsAndRoleRefsHaveOneStoredForm() {
        String[] roleRefs = {
            "{\"apiGroup\":\"rbac.authorization.plat.io\",\"kind\":\"Role\",\"name\":\"r\"}",
            "{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Role\",\"name\":\"r\"}",
            "{\"kind\":\"Role\",\"name\":\"r\"}",
            "{\"apiVersion\":\"rbac.authorization.plat.io/v1alpha1\",\"kind\":\"Role\",\"namespace\":\"default\",\"name\":\"r\"}",
        };
        String[] subjects = {
            "{\"kind\":\"Group\",\"name\":\"dev\"}",
            "{\"kind\":\"Group\",\"name\":\"dev\",\"apiVersion\":\"rbac.authorization.plat.io/v1alpha1\"}",
            "{\"kind\":\"Group\",\"name\":\"dev\",\"apiGroup\":\"rbac.authorization.plat.io\"}",
            "{\"kind\":\"Group\",\"name\":\"dev\",\"apiGroup\":\"rbac.authorization.k8s.io\"}",
        };
        JsonNode expected = Api.tree("{\"subjects\":[{\"kind\":\"Group\",\"name\":\"dev\","
                + "\"apiGroup\":\"rbac.authorization.k8s.io\"}],\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\","
                + "\"kind\":\"Role\",\"name\":\"r\"}}");
        int number = 0;
        for (String roleRef : roleRefs) {
            for (String subject : subjects) {
                String name = "b" + number++;
                api.given(
                        PLAT,
                        "{\"metadata\":{\"name\":\"" + name + "\"},\"subjects\":[" + subject + "],\"roleRef\":"
                                + roleRef + "}");
                assertThat(content(api.get(K8S + "/" + name).body()))
                        .as(roleRef + subject)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void bothVersionsRoundTrip() {
        ObjectNode created = api.given(
                PLAT,
                "{\"metadata\":{\"name\":\"b\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"alice\"}],"
                        + "\"roleRef\":{\"kind\":\"ClusterRole\",\"name\":\"view\"}}");
        Api.Answer same = api.put(PLAT + "/b", created.toString());
        assertThat(same.body()).isEqualTo(created);
        ObjectNode other = api.get(K8S + "/b").body();
        assertThat(api.put(K8S + "/b", other.toString()).body()).isEqualTo(other);
        assertThat(other.path("metadata")).isEqualTo(created.path("metadata"));
    }

    @Test
    void userStarMeansAllAuthenticatedInV1alpha1Only() {
        String body = "{\"metadata\":{\"name\":\"%s\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"*\"}],"
                + "\"roleRef\":{\"kind\":\"ClusterRole\",\"name\":\"view\"}}";
        api.given(PLAT, body.formatted("plat"));
        api.given(K8S, body.formatted("k8s"));
        JsonNode plat = api.get(K8S + "/plat").body().path("subjects").path(0);
        assertThat(plat.path("kind").asText()).isEqualTo("Group");
        assertThat(plat.path("name").asText()).isEqualTo("system:authenticated");
        JsonNode k8s = api.get(K8S + "/k8s").body().path("subjects").path(0);
        assertThat(k8s.path("kind").asText()).isEqualTo("User");
        assertThat(k8s.path("name").asText()).isEqualTo("*");
    }

    /** Dropping the namespace would turn a reference that never grants into one that does. */
    @Test
    void roleRefKeepsItsNamespace() {
        api.given(
                PLAT,
                "{\"metadata\":{\"name\":\"b\"},\"roleRef\":{\"apiVersion\":\"rbac.authorization.plat.io/v1alpha1\","
                        + "\"kind\":\"Role\",\"namespace\":\"other\",\"name\":\"r\"}}");
        ObjectNode read = api.get(K8S + "/b").body();
        assertThat(read.path("roleRef").path("namespace").asText()).isEqualTo("other");
        Api.Answer written = api.put(K8S + "/b", read.toString());
        assertThat(written.code()).isEqualTo(422);
        assertThat(written.message()).contains("cannot change roleRef");
    }

    @Test
    void rolesAreIdenticalInBothVersions() {
        String roles = "/apis/rbac.authorization.plat.io/v1alpha1/clusterroles";
        ObjectNode created = api.given(
                roles,
                "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"get\"],"
                        + "\"nonResourceURLs\":[]}]}");
        ObjectNode other =
                api.get("/apis/rbac.authorization.k8s.io/v1/clusterroles/r").body();
        assertThat(other.path("rules")).isEqualTo(created.path("rules"));
        assertThat(other.path("rules").path(0).path("apiGroups").path(0).asText("none"))
                .isEmpty();
    }

    @Test
    void listsConvertEveryObjectToTheRequestedVersion() {
        api.given(K8S, "{\"metadata\":{\"name\":\"b\"},\"roleRef\":{\"kind\":\"ClusterRole\",\"name\":\"view\"}}");
        ObjectNode list = api.get("/apis/rbac.authorization.plat.io/v1alpha1/rolebindings")
                .body();
        assertThat(list.path("kind").asText()).isEqualTo("RoleBindingList");
        assertThat(list.path("apiVersion").asText()).isEqualTo("rbac.authorization.plat.io/v1alpha1");
        assertThat(list.path("items").path(0).path("roleRef").path("apiGroup").asText())
                .isEqualTo("rbac.authorization.plat.io");
        assertThat(list.path("items").path(0).has("kind")).isFalse();
    }
}
