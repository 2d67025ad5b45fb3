package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.type.DynamicTypes;
import java.time.Clock;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults of new pods and nodes. */
class PriorityClassesTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
    private static final String BORNE =
            "[{'key':'node.kubernetes.io/not-ready','operator':'Exists','effect':'NoExecute',"
                    + "'tolerationSeconds':300},{'key':'node.kubernetes.io/unreachable','operator':'Exists','effect':'NoExecute',"
                    + "'tolerationSeconds':300}]";

    private final Api api = new Api();

    @AfterEach
    void close() {
        api.close();
    }

    /** Returns a pod with additional spec, in single quotes. */
    private static String pod(String name, String more) {
        return ("{'metadata':{'name':'" + name + "'},'spec':{" + more
                        + "'containers':[{'name':'c','image':'registry.example/c:1'}]}}")
                .replace('\'', '"');
    }

    private void givenClass(String name, String rest) {
        api.given(CLASSES, ("{'metadata':{'name':'" + name + "'}," + rest + "}").replace('\'', '"'));
    }

    @Test
    void systemClassesExistAfterEachStart() throws Exception {
        assertThat(api.get(CLASSES + "/system-node-critical")
                        .body()
                        .path("value")
                        .asInt())
                .isEqualTo(2_000_001_000);
        long revision = api.store.latest().revision();
        ResourceOperations.start(
                        api.store,
                        api.catalog,
                        DynamicTypes.NONE,
                        new ObjectIdentity(Clock.systemUTC(), new Random(2)),
                        ResourceOperations.Settings.DEFAULT)
                .close();
        assertThat(api.store.latest().revision()).isEqualTo(revision);
    }

    @Test
    void podWithoutAClassGetsTheDefaultClass() {
        JsonNode none = api.given(PODS, pod("none", "")).path("spec");
        assertThat(none.path("priority").asInt(-1)).isZero();
        assertThat(none.path("preemptionPolicy").asText()).isEqualTo("PreemptLowerPriority");
        assertThat(none.has("priorityClassName")).isFalse();
        givenClass("usual", "'value':7,'globalDefault':true,'preemptionPolicy':'Never'");
        JsonNode usual = api.given(PODS, pod("usual", "")).path("spec");
        assertThat(usual.path("priority").asInt()).isEqualTo(7);
        assertThat(usual.path("preemptionPolicy").asText()).isEqualTo("Never");
        assertThat(usual.path("priorityClassName").asText()).isEqualTo("usual");
        JsonNode critical = api.given(PODS, pod("critical", "'priorityClassName':'system-cluster-critical',"))
                .path("spec");
        assertThat(critical.path("priority").asInt()).isEqualTo(2_000_000_000);
        Api.Answer second = api.post(CLASSES, "{\"metadata\":{\"name\":\"other\"},\"value\":8,\"globalDefault\":true}");
        assertThat(second.message())
                .isEqualTo("priorityclasses.scheduling.k8s.io \"other\" is forbidden: PriorityClass usual is already"
                        + " marked as globalDefault");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            'priorityClassName':'lost' | no PriorityClass with name lost was found
            'priority':5 | the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name
            'preemptionPolicy':'Never' | the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name
            """)
    void podCannotRaiseItsPriority(String more, String cause) {
        Api.Answer refused = api.post(PODS, pod("p", more + ","));
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message()).isEqualTo("pods \"p\" is forbidden: " + cause);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            system-mine; 5; metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class
            mine; 1000000001; value: Forbidden: maximum allowed value of a user defined priority is 1000000000
            """, quoteCharacter = '^')
    void highestPrioritiesAreReservedForTheSystem(String name, int value, String cause) {
        Api.Answer refused = api.post(CLASSES, "{\"metadata\":{\"name\":\"" + name + "\"},\"value\":" + value + "}");
        assertThat(refused.message())
                .isEqualTo("PriorityClass.scheduling.k8s.io \"" + name + "\" is invalid: " + cause);
    }

    @Test
    void podGetsDefaultTolerations() {
        JsonNode spec = api.given(PODS, pod("p", "")).path("spec");
        assertThat(spec.path("tolerations").toString().replace('"', '\'')).isEqualTo(BORNE);
        JsonNode all = api.given(PODS, pod("all", "'tolerations':[{'operator':'Exists'}],"))
                .path("spec");
        assertThat(all.path("tolerations")).hasSize(1);
        JsonNode own = api.given(
                        PODS,
                        pod("own", "'tolerations':[{'key':'node.kubernetes.io/not-ready','effect':'NoExecute'}],"))
                .path("spec");
        assertThat(own.path("tolerations")).hasSize(2);
        assertThat(own.at("/tolerations/1/key").asText()).isEqualTo("node.kubernetes.io/unreachable");
    }

    /** An update without the server's defaults changes nothing, and does not own them. */
    @Test
    void valuesSetByTheServerPersistWithoutAManager() {
        String pod = pod("p", "'automountServiceAccountToken':false,");
        ObjectNode created = api.given(PODS, pod);
        Api.Answer again = api.put(PODS + "/p", pod);
        assertThat(again.code()).as(again.message()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(created);
        assertThat(api.owners(PODS + "/p").toString())
                .doesNotContain("toleration")
                .doesNotContain("priority");
    }

    @Test
    void newNodeIsTaintedNotReady() {
        ObjectNode node =
                api.given("/api/v1/nodes", "{\"metadata\":{\"name\":\"n\"},\"spec\":{\"podCIDR\":\"10.1.0.0/24\"}}");
        assertThat(node.at("/spec/taints").toString())
                .isEqualTo("[{\"effect\":\"NoSchedule\",\"key\":\"node.kubernetes.io/not-ready\"}]");
        ObjectNode cleared = node.deepCopy();
        ((ObjectNode) cleared.path("spec")).remove("taints");
        assertThat(api.put("/api/v1/nodes/n", cleared.toString())
                        .body()
                        .at("/spec/taints")
                        .isMissingNode())
                .isTrue();
    }
}
