package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.plat.tests.process.StandaloneServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A client library from Maven Central follows changes: by a watch, and by its informer. */
class Fabric8WatchTest {
    private static final int OBJECTS = 300;
    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(server.clientFile().toFile()))
                .build();
    }

    private static ConfigMap named(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    @Test
    void watchDeliversEvents() throws InterruptedException {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        try (KubernetesClient client = client();
                Watch watch = client.configMaps().inNamespace("default").watch(new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, ConfigMap object) {
                        events.add(action + " " + object.getMetadata().getName());
                    }

                    @Override
                    public void onClose(WatcherException cause) {
                        events.add("closed " + cause);
                    }
                })) {
            client.configMaps().inNamespace("default").resource(named("w", "1")).create();
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("ADDED w");
            client.configMaps().inNamespace("default").resource(named("w", "2")).update();
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("MODIFIED w");
            client.configMaps().inNamespace("default").withName("w").delete();
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("DELETED w");
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void informerCacheMatchesTheServer() {
        try (KubernetesClient client = client()) {
            client.resource("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"informed\"}}")
                    .create();
            var maps = client.configMaps().inNamespace("informed");
            for (int i = 0; i < OBJECTS; i++) {
                maps.resource(named("o" + i, "0")).create();
            }
            Map<String, String> changes = new ConcurrentHashMap<>();
            try (SharedIndexInformer<ConfigMap> informer = maps.inform(new ResourceEventHandler<>() {
                @Override
                public void onAdd(ConfigMap object) {
                    changes.put(object.getMetadata().getName(), object.getData().get("value"));
                }

                @Override
                public void onUpdate(ConfigMap before, ConfigMap object) {
                    changes.put(object.getMetadata().getName(), object.getData().get("value"));
                }

                @Override
                public void onDelete(ConfigMap object, boolean unknown) {
                    changes.remove(object.getMetadata().getName());
                }
            })) {
                for (int i = 0; i < OBJECTS; i += 2) {
                    maps.resource(named("o" + i, "1")).update();
                }
                for (int i = 0; i < OBJECTS; i += 3) {
                    maps.withName("o" + i).delete();
                }
                List<ConfigMap> held = maps.list().getItems();
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() ->
                                assertThat(informer.getIndexer().list()).containsExactlyInAnyOrderElementsOf(held));
                await().untilAsserted(() -> assertThat(changes).hasSize(held.size()));
                held.forEach(object -> assertThat(changes)
                        .containsEntry(
                                object.getMetadata().getName(), object.getData().get("value")));
            }
        }
    }
}
