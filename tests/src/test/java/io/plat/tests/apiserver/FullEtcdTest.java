package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.EmbeddedOnly;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An etcd whose space is exceeded: it accepts deletions only. */
@EmbeddedOnly("selects its own etcd")
class FullEtcdTest {
    private static final String NAMESPACE = "/api/v1/namespaces/default/";

    /** Activates (1) or deactivates (2) the alarm of exceeded space. */
    private static void alarm(HttpClient http, EtcdServer etcd, int action) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(etcd.url() + "/v3/maintenance/alarm"))
                        .POST(HttpRequest.BodyPublishers.ofString("{\"action\":" + action + ",\"alarm\":1}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static String event(String name) {
        return "{'metadata':{'name':'%s'},'involvedObject':{'kind':'Pod','namespace':'default','name':'p'}}"
                .formatted(name)
                .replace('\'', '"');
    }

    @Test
    void everyWriteIsRefusedAlikeAndDeletionsFreeSpace() throws Exception {
        try (TestPki pki = TestPki.create().client("admin", "system:masters");
                EtcdServer etcd = EtcdServer.start();
                HttpClient http = HttpClient.newHttpClient();
                HttpsClient client = HttpsClient.of(pki, "admin");
                RunningServer server = ConfiguredStore.serve(pki, List.of("--etcd-servers=" + etcd.url()))) {
            URI maps = server.at(NAMESPACE + "configmaps");
            URI events = server.at(NAMESPACE + "events");
            assertThat(client.post(maps, ConfigMaps.body("x", "", "v")).statusCode())
                    .isEqualTo(201);
            alarm(http, etcd, 1);
            for (HttpResponse<String> refused :
                    List.of(client.post(maps, ConfigMaps.body("y", "", "v")), client.post(events, event("y")))) {
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
                assertThat(refused.body()).contains("the storage accepts no writes");
            }
            assertThat(client.send("DELETE", server.at(NAMESPACE + "configmaps/x"), null)
                            .statusCode())
                    .isEqualTo(200);
            alarm(http, etcd, 2);
            assertThat(client.post(events, event("z")).statusCode()).isEqualTo(201);
        }
    }
}
