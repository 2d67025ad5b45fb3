package io.plat.tests.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawClient;
import io.plat.tests.process.LoneServer;
import io.plat.tests.process.OpenWatch;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** Watches of clients that do not read, in a heap that holds a small part of what they are sent: others notice nothing. */
class SlowReadersTest {
    private static final int READERS = Boolean.getBoolean("plat.full") ? 1000 : 60;
    private static final int HEAP_MIB = 64 + READERS / 10;
    private static final int CHANGES = 100;
    private static final int BYTES = 60_000;
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void theyDelayAndExhaustNothing() throws Exception {
        List<RawClient> readers = new ArrayList<>();
        try (LoneServer server = LoneServer.startWithJavaOptions("-Xmx" + HEAP_MIB + "m")) {
            SSLContext tls = server.pki().tls("admin");
            InetSocketAddress address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), server.at("").getPort());
            try (OpenWatch watch = OpenWatch.open(server.client(), server.at(MAPS + "?watch=true"))) {
                for (int i = 0; i < READERS; i++) {
                    readers.add(new RawClient(address, tls)
                            .send("GET " + MAPS + "?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n"));
                }
                String data = "\"data\":{\"a\":\"" + "x".repeat(BYTES) + "\"}}";
                for (int i = 0; i < CHANGES; i++) {
                    String body = "{\"metadata\":{\"name\":\"m" + i + "\"}," + data;
                    assertThat(server.client().post(server.at(MAPS), body).statusCode())
                            .isEqualTo(201);
                }
                String last = "m" + (CHANGES - 1);
                assertThat(watch.until(event ->
                                event.at("/object/metadata/name").asText().equals(last)))
                        .filteredOn(event ->
                                event.at("/object/metadata/name").asText().matches("m[0-9]+"))
                        .hasSize(CHANGES);
            } finally {
                for (RawClient reader : readers) {
                    reader.close();
                }
            }
        }
    }
}
