package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Config;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The informer of the official Java client, during writes. */
class JavaClientInformerTest {
    private static final int OBJECTS = 200;
    private static final String NAMESPACE = "informed";

    @Test
    void informerCacheMatchesTheServer() throws Exception {
        try (StandaloneServer server = StandaloneServer.start()) {
            ApiClient client = client(server);
            var api = new CoreV1Api(client);
            api.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(NAMESPACE)))
                    .execute();
            for (int i = 0; i < OBJECTS; i++) {
                api.createNamespacedConfigMap(NAMESPACE, named("o" + i, "0")).execute();
            }
            Map<String, String> events = new ConcurrentHashMap<>();
            var factory = new SharedInformerFactory(client);
            SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(
                    (CallGeneratorParams requested) -> api.listNamespacedConfigMap(NAMESPACE)
                            .resourceVersion(requested.resourceVersion)
                            .timeoutSeconds(requested.timeoutSeconds)
                            .watch(requested.watch)
                            .buildCall(null),
                    V1ConfigMap.class,
                    V1ConfigMapList.class);
            informer.addEventHandler(new Hearing(events));
            try {
                factory.startAllRegisteredInformers();
                await().atMost(Duration.ofSeconds(30)).until(informer::hasSynced);
                change(api);
                Map<String, String> expected = new ConcurrentHashMap<>();
                api.listNamespacedConfigMap(NAMESPACE).execute().getItems().forEach(object -> put(object, expected));
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(events).isEqualTo(expected));
                assertThat(informer.getIndexer().list()).hasSize(expected.size());
            } finally {
                factory.stopAllRegisteredInformers();
            }
        }
    }

    private static ApiClient client(StandaloneServer server) throws IOException {
        return Config.fromConfig(server.clientFile().toString())
                // A watch without events for a long time is not a failure.
                .setReadTimeout(0);
    }

    private static void change(CoreV1Api api) throws ApiException {
        for (int i = 0; i < OBJECTS; i += 2) {
            api.replaceNamespacedConfigMap("o" + i, NAMESPACE, named("o" + i, "1"))
                    .execute();
        }
        for (int i = 0; i < OBJECTS; i += 3) {
            api.deleteNamespacedConfigMap("o" + i, NAMESPACE).execute();
        }
    }

    private static V1ConfigMap named(String name, String value) {
        return new V1ConfigMap().metadata(new V1ObjectMeta().name(name)).putDataItem("value", value);
    }

    private static void put(V1ConfigMap object, Map<String, String> into) {
        into.put(
                String.valueOf(object.getMetadata().getName()),
                String.valueOf(object.getData().get("value")));
    }

    private record Hearing(Map<String, String> events) implements ResourceEventHandler<V1ConfigMap> {
        @Override
        public void onAdd(V1ConfigMap object) {
            put(object, events);
        }

        @Override
        public void onUpdate(V1ConfigMap before, V1ConfigMap object) {
            put(object, events);
        }

        @Override
        public void onDelete(V1ConfigMap object, boolean unknown) {
            events.remove(String.valueOf(object.getMetadata().getName()));
        }
    }
}
