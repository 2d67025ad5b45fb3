package io.plat.apiserver.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bindings, evictions, and subresources of pods. Documents are written with single quotes. */
final class PodOperationsTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String POD = PODS + "/p";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

    private final AtomicBoolean kept = new AtomicBoolean();
    private final Api api = new Api(
            EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT)),
            new ObjectIdentity(Clock.systemUTC(), new Random(1)),
            Api.keeping("p", kept::get));

    @AfterEach
    void close() {
        api.close();
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private ObjectNode givenPod(String more) {
        api.post("/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"default\"}}");
        return api.given(
                PODS,
                json("{'metadata':{'name':'p','labels':{'app':'a'}},'spec':{'containers':[{'name':'c','image':'i',"
                        + "'resources':{'requests':{'cpu':'100m','memory':'1Gi'},'limits':{'cpu':'200m'}}}]" + more
                        + "}}"));
    }

    @Test
    void negativeGracePeriodOfAPodIsOneSecond() {
        ObjectNode created = givenPod(",'terminationGracePeriodSeconds':-1");
        assertThat(created.at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(1);
        Api.Answer updated = api.patch(POD, PatchFormat.MERGE, json("{'spec':{'terminationGracePeriodSeconds':-1}}"));
        assertThat(updated.code()).isEqualTo(200);
        assertThat(updated.body().at("/spec/terminationGracePeriodSeconds").asInt())
                .isEqualTo(1);
        assertThat(updated.warnings()).isEmpty();
    }

    private interface Done {
        void run() throws StatusException;
    }

    /** Returns success, or the failure of an operation. */
    private Api.Answer after(Done operation) {
        return api.answer(() -> {
            operation.run();
            return new Result.Deleted("", "", "", "");
        });
    }

    private Api.Answer bind(String name, String binding, boolean dryRun) {
        Target pods = api.target(name.isEmpty() ? PODS : PODS + "/" + name);
        ResourceType type = api.catalog.find("", "v1", "bindings").orElseThrow();
        return after(() -> api.operations
                .pods()
                .bind(
                        pods,
                        type,
                        ObjectBody.json(type, json(binding).getBytes(UTF_8)),
                        new WriteOptions(dryRun, WriteOptions.FieldValidation.WARN)));
    }

    private Api.Answer evict(String eviction, boolean dryRun) {
        return after(() -> api.operations
                .pods()
                .evict(
                        api.target(POD),
                        ObjectBody.json(PodOperations.EVICTION, json(eviction).getBytes(UTF_8)),
                        new WriteOptions(dryRun, WriteOptions.FieldValidation.WARN)
                                .of(Requester.of(new UserInfo("alice", List.of())))));
    }

    private Api.Answer evict() {
        return evict("{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p'}}", false);
    }

    private Api.Answer part(String path, String part, String patch) {
        Target target = api.target(path);
        return api.answer(() -> api.operations.patch(
                target,
                target.type().subresource(part).orElseThrow(),
                PatchFormat.STRATEGIC_MERGE,
                json(patch).getBytes(UTF_8),
                WriteOptions.DEFAULT));
    }

    private void run(String ready) {
        assertThat(part(
                                POD,
                                "status",
                                "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'" + ready
                                        + "'}]}}")
                        .code())
                .isEqualTo(200);
    }

    private void givenBudget(String name, String spec, String status) {
        api.given(BUDGETS, json("{'metadata':{'name':'" + name + "'},'spec':" + spec + "}"));
        if (!status.isEmpty()) {
            assertThat(part(BUDGETS + "/" + name, "status", "{'status':" + status + "}")
                            .code())
                    .isEqualTo(200);
        }
    }

    @Test
    void podIsBoundOnce() {
        givenPod("");
        String binding = "{'metadata':{'name':'p','annotations':{'by':'me'}},'target':{'kind':'Node','name':'n1'}}";
        assertThat(bind("p", binding, true).code()).isEqualTo(200);
        assertThat(api.get(POD).body().at("/spec/nodeName").isMissingNode()).isTrue();
        assertThat(bind("p", binding, false).code()).isEqualTo(200);
        ObjectNode pod = api.get(POD).body();
        assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("n1");
        assertThat(pod.at("/metadata/annotations/by").asText()).isEqualTo("me");
        assertThat(pod.at("/status/conditions/0/type").asText()).isEqualTo("PodScheduled");
        assertThat(pod.at("/status/conditions/0/status").asText()).isEqualTo("True");
        Api.Answer again = bind("", "{'metadata':{'name':'p'},'target':{'name':'n2'}}", false);
        assertThat(again.code()).isEqualTo(409);
        assertThat(again.message())
                .isEqualTo("Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node"
                        + " \"n1\"");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'metadata':{'name':'p'},'target':{}}                                  | 422 | target.name: Required value
        {'metadata':{'name':'p'},'target':{'kind':'Pod','name':'n'}}           | 422 | target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"
        {'metadata':{'name':'q'},'target':{'name':'n'}}                        | 400 | name in URL does not match name in Binding object
        {'metadata':{'name':'p','uid':'x'},'target':{'name':'n'}}              | 409 | Precondition failed: UID in precondition: x
        {'metadata':{'name':'p','resourceVersion':'1'},'target':{'name':'n'}}  | 409 | the object has been modified
        """)
    void invalidBindingIsRefused(String binding, int code, String message) {
        givenPod("");
        Api.Answer answer = bind("p", binding, false);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.message()).contains(message);
        assertThat(api.get(POD).body().at("/spec/nodeName").isMissingNode()).isTrue();
    }

    @Test
    void gatedPodIsNotBound() {
        givenPod(",'schedulingGates':[{'name':'wait'}]");
        assertThat(bind("p", "{'metadata':{'name':'p'},'target':{'name':'n'}}", false)
                        .message())
                .endsWith("pod p has non-empty .spec.schedulingGates");
        assertThat(bind("none", "{'metadata':{'name':'none'},'target':{'name':'n'}}", false)
                        .code())
                .isEqualTo(404);
    }

    @Test
    void podThatIsNotRunningIsEvictedRegardlessOfItsBudget() {
        givenPod("");
        givenBudget("b", "{'minAvailable':1,'selector':{}}", "");
        assertThat(evict("{'metadata':{'name':'p'}}", true).code()).isEqualTo(200);
        assertThat(api.get(POD).code()).isEqualTo(200);
        assertThat(evict("{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':{'name':'p'}}", false)
                        .code())
                .isEqualTo(200);
        assertThat(api.get(POD).code()).isEqualTo(404);
        assertThat(evict().code()).isEqualTo(404);
    }

    /** A budget's selector and status, and the result of evicting a running, ready pod. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'matchLabels':{'app':'b'}} | ``                                                             | 200 | ``
        {'matchLabels':{'app':'a'}} | ``                                                             | 429 | The disruption budget b is still being processed by the server.
        {}                          | ``                                                             | 429 | The disruption budget b is still being processed by the server.
        {'matchLabels':{'app':'a'}} | {'observedGeneration':1,'disruptionsAllowed':0,'desiredHealthy':2,'currentHealthy':2} | 429 | The disruption budget b needs 2 healthy pods and has 2 currently
        {'matchLabels':{'app':'a'}} | {'observedGeneration':1,'disruptionsAllowed':1}                | 200 | ``
        """)
    void disruptionBudgetIsHonoured(String selector, String status, int code, String cause) {
        givenPod("");
        run("True");
        givenBudget("b", "{'minAvailable':1,'selector':" + selector + "}", status);
        Api.Answer dry = evict("{'metadata':{'name':'p'},'deleteOptions':{'dryRun':['All']}}", false);
        assertThat(dry.code()).as(dry.message()).isEqualTo(code);
        Api.Answer answer = evict();
        assertThat(answer.code()).as(answer.message()).isEqualTo(code);
        assertThat(answer.body().at("/details/causes/0/message").asText()).isEqualTo(cause);
        assertThat(api.get(POD).code()).isEqualTo(code == 200 ? 404 : 200);
    }

    @Test
    void evictionUpdatesTheBudgetStatus() {
        givenPod("");
        run("True");
        givenBudget("b", "{'selector':{}}", "{'observedGeneration':1,'disruptionsAllowed':1}");
        assertThat(evict().code()).isEqualTo(200);
        ObjectNode budget = api.get(BUDGETS + "/b").body();
        assertThat(budget.at("/status/disruptionsAllowed").asInt()).isZero();
        assertThat(budget.at("/status/disruptedPods").has("p")).isTrue();
        assertThat(budget.at("/status/conditions/0/reason").asText()).isEqualTo("InsufficientPods");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ``                                            | {'observedGeneration':1,'desiredHealthy':1,'currentHealthy':1} | 200
        ``                                            | {'observedGeneration':1,'desiredHealthy':1,'currentHealthy':0} | 429
        'unhealthyPodEvictionPolicy':'AlwaysAllow',   | {'observedGeneration':1,'desiredHealthy':1,'currentHealthy':0} | 200
        """)
    void unhealthyPodEvictionPolicyIsHonoured(String policy, String status, int code) {
        givenPod("");
        run("False");
        givenBudget("b", "{" + policy + "'selector':{}}", status);
        assertThat(evict().code()).isEqualTo(code);
    }

    @Test
    void twoBudgetsOfOnePodAreAnError() {
        givenPod("");
        run("True");
        givenBudget("b", "{'selector':{}}", "{'observedGeneration':1,'disruptionsAllowed':1}");
        givenBudget("c", "{'selector':{}}", "{'observedGeneration':1,'disruptionsAllowed':1}");
        assertThat(evict().code()).isEqualTo(500);
        assertThat(api.get(POD).code()).isEqualTo(200);
    }

    /** A policy against the deletion of pods covers evictions; a denied one does not change the budget. */
    @ParameterizedTest(name = "ready: {0}, budget: {1}, {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ``    | ``                                         | ``
        True  | ``                                         | ``
        True  | {'selector':{}}                            | {'observedGeneration':1,'disruptionsAllowed':1}
        False | {'unhealthyPodEvictionPolicy':'AlwaysAllow','selector':{}} | {'observedGeneration':1,'disruptionsAllowed':1}
        """)
    void admissionPolicyPreventsEviction(String ready, String budget, String status) {
        givenPod("");
        if (!ready.isEmpty()) {
            run(ready);
        }
        if (!budget.isEmpty()) {
            givenBudget("b", budget, status);
        }
        kept.set(true);
        for (boolean dryRun : List.of(true, false)) {
            Api.Answer denied = evict("{'metadata':{'name':'p'}}", dryRun);
            assertThat(denied.code()).as(denied.message()).isEqualTo(403);
            assertThat(denied.message()).endsWith("kept from alice");
        }
        if (!budget.isEmpty()) {
            assertThat(api.get(BUDGETS + "/b")
                            .body()
                            .at("/status/disruptionsAllowed")
                            .asInt())
                    .isEqualTo(1);
        }
        kept.set(false);
        assertThat(evict().code()).isEqualTo(200);
        assertThat(api.get(POD).code()).isEqualTo(404);
    }

    @Test
    void evictionHonoursPreconditions() {
        ObjectNode pod = givenPod("");
        assertThat(evict("{'metadata':{'name':'p'},'deleteOptions':{'preconditions':{'uid':'x'}}}", false)
                        .code())
                .isEqualTo(409);
        assertThat(evict("{'metadata':{'name':'p'},'deleteOptions':{'preconditions':{'resourceVersion':'1'}}}", false)
                        .code())
                .isEqualTo(409);
        assertThat(evict("{'metadata':{'name':'q'}}", false).code()).isEqualTo(400);
        String uid = pod.at("/metadata/uid").asText();
        assertThat(evict("{'metadata':{'name':'p'},'deleteOptions':{'preconditions':{'uid':'" + uid + "'}}}", false)
                        .code())
                .isEqualTo(200);
    }

    @Test
    void ephemeralContainersCanOnlyBeAdded() {
        givenPod("");
        Api.Answer added = part(
                POD,
                "ephemeralcontainers",
                "{'metadata':{'labels':{'x':'y'}},'spec':{'ephemeralContainers':[{'name':'d','image':'busybox',"
                        + "'targetContainerName':'c'}]}}");
        assertThat(added.code()).as(added.message()).isEqualTo(200);
        assertThat(added.body()
                        .at("/spec/ephemeralContainers/0/imagePullPolicy")
                        .asText())
                .isEqualTo("Always");
        assertThat(added.metadata().path("labels").has("x")).isFalse();
        assertThat(part(POD, "ephemeralcontainers", "{'spec':{'ephemeralContainers':[{'name':'d','image':'other'}]}}")
                        .message())
                .contains("existing ephemeral containers \"d\" may not be changed");
        assertThat(part(POD, "ephemeralcontainers", "{'spec':{'ephemeralContainers':[{'$patch':'delete','name':'d'}]}}")
                        .message())
                .contains("existing ephemeral containers \"d\" may not be removed");
        assertThat(part(POD, "ephemeralcontainers", "{'spec':{'ephemeralContainers':[{'name':'e','image':'busybox'}]}}")
                        .body()
                        .at("/spec/ephemeralContainers"))
                .hasSize(2);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'name':'c','image':'i'}                                              | spec.ephemeralContainers[0].name: Duplicate value: "c"
        {'name':'d'}                                                          | spec.ephemeralContainers[0].image: Required value
        {'name':'d','image':'i','ports':[{'containerPort':1}]}                | spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container
        {'name':'d','image':'i','resources':{'limits':{'cpu':'1'}}}           | spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container
        {'name':'d','image':'i','volumeMounts':[{'name':'v','mountPath':'/v'}]} | spec.ephemeralContainers[0].volumeMounts[0].name: Not found: "v"
        {'name':'d','image':'i','env':[{'name':''}]}                          | spec.ephemeralContainers[0].env[0].name: Required value
        {'name':'d','image':' i'},{'name':'d','image':'i'}                    | [spec.ephemeralContainers[0].image: Invalid value: " i": must not have leading or trailing whitespace, spec.ephemeralContainers[1].name: Duplicate value: "d"]
        {'name':'d','image':'i','targetContainerName':'x'}                    | spec.ephemeralContainers[0].targetContainerName: Not found: "x"
        """)
    void ephemeralContainersAreValidated(String container, String message) {
        givenPod("");
        Api.Answer answer = part(POD, "ephemeralcontainers", "{'spec':{'ephemeralContainers':[" + container + "]}}");
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message()).contains(message);
    }

    @Test
    void podCannotBeCreatedWithEphemeralContainers() {
        api.post("/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"default\"}}");
        assertThat(api.post(
                                PODS,
                                json("{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
                                        + "'ephemeralContainers':[{'name':'d','image':'i'}]}}"))
                        .message())
                .contains("spec.ephemeralContainers: Forbidden: cannot be set on create");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'$patch':'replace'},{'name':'d','image':'i'}                          | spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize
        {'name':'d','image':'i'}                                              | spec.containers: Forbidden: containers may not be added or removed on resize
        {'name':'c','resources':{'limits':{'cpu':'200m','memory':'1Gi'},'requests':{'cpu':'200m','memory':'1Gi'}}} | spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing
        """)
    void resizedPodKeepsItsContainers(String containers, String message) {
        givenPod("");
        Api.Answer answer = part(POD, "resize", "{'spec':{'containers':[" + containers + "]}}");
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message()).contains(message);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'requests':{'cpu':'150m'}}                       | 200 | ``
        {'limits':{'cpu':'300m','memory':'2Gi'}}          | 200 | ``
        {'requests':{'cpu':null}}                         | 200 | ``
        {'requests':{'memory':null}}                      | 422 | spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed
        {'requests':{'ephemeral-storage':'1Gi'}}          | 422 | spec: Forbidden: only cpu and memory resources are mutable
        {'requests':{'storage':'1Gi'}}                    | 422 | spec.containers[0].resources.requests[storage]: Invalid value: "storage": must be a standard resource for containers
        {'limits':{'cpu':'10m'}}                          | 422 | must be less than or equal to cpu limit of 10m
        {'requests':{'cpu':'200m'},'limits':{'memory':'1Gi'}} | 422 | Pod QOS Class may not change as a result of resizing
        """)
    void onlyCpuAndMemoryAreResizable(String resources, int code, String message) {
        givenPod("");
        Api.Answer answer = part(
                POD,
                "resize",
                "{'metadata':{'labels':{'x':'y'}},'spec':{'containers':[{'name':'c','image':'other','resources':"
                        + resources + "}]}}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(code);
        assertThat(answer.message()).contains(message);
        ObjectNode pod = api.get(POD).body();
        assertThat(pod.at("/spec/containers/0/image").asText()).isEqualTo("i");
        assertThat(pod.at("/metadata/labels").has("x")).isFalse();
        assertThat(pod.at("/metadata/generation").asInt()).isEqualTo(code == 200 ? 2 : 1);
    }
}
