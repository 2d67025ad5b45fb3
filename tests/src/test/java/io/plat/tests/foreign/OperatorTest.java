package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A controller with the Java operator SDK, which authenticates with a token bound to a pod and has a role of its own: it creates a config
 * map for each bakery, updates its status, and uses a finalizer.
 */
class OperatorTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BAKERIES = "/apis/operator.example.com/v1/namespaces/town/bakeries";
    private static final String MAPS = "/api/v1/namespaces/town/configmaps";

    /** The objects in order, each with its collection. */
    private static final Map<String, String> GIVEN = environment();

    private static StandaloneServer server;
    private static KubernetesClient client;
    private static Operator operator;
    private static final Queue<String> cleaned = new ConcurrentLinkedQueue<>();

    private static Map<String, String> environment() {
        var environment = new LinkedHashMap<String, String>();
        environment.put("{'metadata':{'name':'town'}}", "/api/v1/namespaces");
        environment.put("""
            {'metadata':{'name':'bakeries.operator.example.com'},'spec':{'group':'operator.example.com',
             'scope':'Namespaced','names':{'plural':'bakeries','kind':'Bakery'},'versions':[{'name':'v1','served':true,
             'storage':true,'subresources':{'status':{}},'schema':{'openAPIV3Schema':{'type':'object','properties':{
             'spec':{'type':'object','properties':{'ovens':{'type':'integer','default':1}}},
             'status':{'type':'object','properties':{'ovens':{'type':'integer'},
             'observedGeneration':{'type':'integer'}}}}}}}]}}\
            """, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
        environment.put("{'metadata':{'name':'baker'}}", "/api/v1/namespaces/town/serviceaccounts");
        environment.put(
                "{'metadata':{'name':'baker-0'},'spec':{'serviceAccountName':'baker','containers':[{'name':'c','image':'i'}]}}",
                "/api/v1/namespaces/town/pods");
        environment.put("""
            {'metadata':{'name':'baker'},'rules':[
             {'apiGroups':['operator.example.com'],'resources':['bakeries'],'verbs':['get','list','watch','patch','update']},
             {'apiGroups':['operator.example.com'],'resources':['bakeries/status'],'verbs':['patch','update']},
             {'apiGroups':[''],'resources':['configmaps'],'verbs':['get','create','patch','delete']}]}\
            """, "/apis/rbac.authorization.k8s.io/v1/namespaces/town/roles");
        environment.put("""
            {'metadata':{'name':'baker'},
             'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'Role','name':'baker'},
             'subjects':[{'kind':'ServiceAccount','name':'baker','namespace':'town'}]}\
            """, "/apis/rbac.authorization.k8s.io/v1/namespaces/town/rolebindings");
        return environment;
    }

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.startWithRoles();
        for (Map.Entry<String, String> each : GIVEN.entrySet()) {
            post(each.getValue(), each.getKey());
        }
        String token = post("/api/v1/namespaces/town/serviceaccounts/baker/token", """
            {'spec':{'boundObjectRef':{'apiVersion':'v1','kind':'Pod','name':'baker-0'}}}\
            """)
                .at("/status/token")
                .asText();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(server.at("").toString())
                .withCaCertFile(server.pki().file("ca.crt"))
                .withOauthToken(token)
                .withNamespace("town")
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
        operator = new Operator(overrider -> overrider.withKubernetesClient(client));
        operator.register(new BakeryReconciler(), each -> each.settingNamespace("town"));
        operator.start();
    }

    @AfterAll
    static void stop() {
        operator.stop();
        client.close();
        server.close();
    }

    /** Reconciliation of a bakery. */
    private static final class BakeryReconciler implements Reconciler<Bakery>, Cleaner<Bakery> {
        @Override
        public UpdateControl<Bakery> reconcile(Bakery bakery, Context<Bakery> context) {
            int ovens = bakery.getSpec().getOvens();
            context.getClient()
                    .configMaps()
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName(bakery.getMetadata().getName())
                            .withNamespace(bakery.getMetadata().getNamespace())
                            .addNewOwnerReference()
                            .withApiVersion(bakery.getApiVersion())
                            .withKind(bakery.getKind())
                            .withName(bakery.getMetadata().getName())
                            .withUid(bakery.getMetadata().getUid())
                            .endOwnerReference()
                            .endMetadata()
                            .addToData("ovens", Integer.toString(ovens))
                            .build())
                    .serverSideApply();
            var status = new Bakery.Status();
            status.setOvens(ovens);
            status.setObservedGeneration(bakery.getMetadata().getGeneration());
            var patch = new Bakery();
            patch.getMetadata().setName(bakery.getMetadata().getName());
            patch.getMetadata().setNamespace(bakery.getMetadata().getNamespace());
            patch.setStatus(status);
            return UpdateControl.patchStatus(patch);
        }

        @Override
        public DeleteControl cleanup(Bakery bakery, Context<Bakery> context) {
            cleaned.add(bakery.getMetadata().getName());
            return DeleteControl.defaultDelete();
        }
    }

    private static JsonNode post(String collection, String body) throws IOException {
        HttpResponse<String> answer = server.client().post(server.at(collection), body.replace('\'', '"'));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return JSON.readTree(answer.body());
    }

    private static JsonNode read(String path) throws IOException {
        return JSON.readTree(server.client().get(server.at(path)).body());
    }

    private static void awaitStatus(String name, int ovens, int generation) {
        await().untilAsserted(() -> {
            JsonNode bakery = read(BAKERIES + "/" + name);
            assertThat(bakery.at("/status/ovens").asInt()).as(bakery.toString()).isEqualTo(ovens);
            assertThat(bakery.at("/status/observedGeneration").asInt()).isEqualTo(generation);
        });
    }

    @Test
    void customResourceIsReconciled() throws IOException {
        post(
                BAKERIES,
                "{'apiVersion':'operator.example.com/v1','kind':'Bakery','metadata':{'name':'corner'},'spec':{}}");
        awaitStatus("corner", 1, 1);
        JsonNode bakery = read(BAKERIES + "/corner");
        assertThat(bakery.at("/metadata/finalizers/0").asText()).isEqualTo("bakeries.operator.example.com/finalizer");
        assertThat(read(MAPS + "/corner").at("/data/ovens").asText()).isEqualTo("1");

        HttpResponse<String> changed = server.client()
                .send(
                        "PATCH",
                        server.at(BAKERIES + "/corner"),
                        "application/merge-patch+json",
                        "{\"spec\":{\"ovens\":7}}");
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        awaitStatus("corner", 7, 2);
        await().until(() -> read(MAPS + "/corner").at("/data/ovens").asText().equals("7"));

        server.client().send("DELETE", server.at(BAKERIES + "/corner"), null);
        await().until(() -> read(BAKERIES + "/corner").path("code").asInt() == 404);
        assertThat(cleaned).containsExactly("corner");
        await().until(() -> read(MAPS + "/corner").path("code").asInt() == 404);
    }

    @Test
    void controllerTokenIsLimitedToItsRole() throws IOException {
        try (HttpsClient anyone = HttpsClient.of(server.pki(), null)) {
            HttpsClient baker = anyone.withHeader(
                    "Authorization", "Bearer " + client.getConfiguration().getOauthToken());
            assertThat(baker.get(server.at(BAKERIES)).statusCode()).isEqualTo(200);
            assertThat(baker.get(server.at(MAPS)).statusCode()).isEqualTo(403);
            assertThat(baker.post(server.at(BAKERIES), "{}").statusCode()).isEqualTo(403);
        }
    }
}
