package io.plat.tests.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.http.testing.RawClient;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.StandaloneServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** Watches of clients that do not read, in a heap much smaller than the events: others are not affected. */
class SlowReadersTest {
    private static final int READERS = Boolean.getBoolean("plat.full") ? 1000 : 60;
    private static final int HEAP_MIB = 64 + READERS / 10;
    /** The readers' sockets buffer gigabytes of encrypted data; only C2 uses the CPU's AES instructions. */
    private static final String JAVA_OPTIONS =
            "-Xmx" + HEAP_MIB + "m -XX:TieredStopAtLevel=4 -XX:CompileThresholdScaling=1";

    private static final int CHANGES = 100;
    private static final int BYTES = 60_000;
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void slowReadersDelayAndExhaustNothing() throws Exception {
        List<RawClient> readers = new ArrayList<>();
        try (StandaloneServer server = StandaloneServer.startWithJavaOptions(JAVA_OPTIONS)) {
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
                checkWhole(names(watch.until(event -> name(event).equals(last))));
            } finally {
                for (RawClient reader : readers) {
                    reader.close();
                }
            }
        }
    }

    /** Dropped, repeated or reordered events for slow clients are detected. */
    @Test
    void lossyWatchIsDetected() {
        List<String> whole = IntStream.range(0, CHANGES).mapToObj(i -> "m" + i).toList();
        checkWhole(whole);
        List<String> lost = new ArrayList<>(whole);
        lost.remove(CHANGES / 2);
        List<String> repeated = new ArrayList<>(whole);
        repeated.add(1, "m0");
        List<String> reordered = new ArrayList<>(whole);
        Collections.swap(reordered, 3, 4);
        assertThat(List.of(lost, repeated, reordered))
                .allSatisfy(names -> assertThatThrownBy(() -> checkWhole(names)).isInstanceOf(AssertionError.class));
    }

    private static void checkWhole(List<String> names) {
        assertThat(names)
                .isEqualTo(IntStream.range(0, CHANGES).mapToObj(i -> "m" + i).toList());
    }

    private static List<String> names(List<JsonNode> events) {
        return events.stream()
                .map(SlowReadersTest::name)
                .filter(name -> name.matches("m[0-9]+"))
                .toList();
    }

    private static String name(JsonNode event) {
        return event.at("/object/metadata/name").asText();
    }
}
