package io.plat.tests.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Concurrent bodies that would fill a small heap together, although none of them is large. */
class SmallHeapTest {
    private static final int CLIENTS = 250;
    private static final int BYTES = 64_000;

    /** The connection of a refused request may be closed during sending. */
    private static final int CUT = 0;

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        DECIDER        | -Xmx24m | /authorize                              | {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"nonResourceAttributes":{"path":"/","verb":"get"},"user":"TEXT"}}
        APISERVER_LITE | -Xmx34m | /api/v1/namespaces/default/configmaps   | {"metadata":{"generateName":"a"},"data":{"a":"TEXT"}}
        """)
    void requestsAreAnsweredOrRefused(Program program, String heap, String path, String shape) throws IOException {
        String body = shape.replace("TEXT", "x".repeat(BYTES));
        List<RawClient> clients = new ArrayList<>();
        try (TestPki pki = TestPki.create().client("client");
                RunningServer server = start(program, heap, pki)) {
            SSLContext tls = pki.tls("client");
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
            try {
                String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: " + body.length() + "\r\n\r\n";
                for (int i = 0; i < CLIENTS; i++) {
                    RawClient client = new RawClient(address, tls);
                    clients.add(client);
                    begin(client, head + body.substring(0, BYTES));
                }
                List<Integer> codes = new ArrayList<>();
                for (RawClient client : clients) {
                    codes.add(rest(client, body.substring(BYTES)));
                }
                assertThat(codes)
                        .as(server.err())
                        .isSubsetOf(200, 201, 429, CUT)
                        .containsAnyOf(200, 201);
                assertThat(server.err())
                        .contains("memory for requests exhausted")
                        .doesNotContain("OutOfMemoryError");
                try (RawClient another = new RawClient(address, tls)) {
                    assertThat(another.send(head + body).answer().code()).isIn(200, 201);
                }
            } finally {
                for (RawClient client : clients) {
                    client.close();
                }
            }
        }
    }

    private static void begin(RawClient client, String text) {
        try {
            client.send(text);
        } catch (IOException e) {
            // Already refused, as the response shows.
            assertThat(e).isInstanceOf(SocketException.class);
        }
    }

    private static int rest(RawClient client, String rest) {
        try {
            return client.send(rest).answer().code();
        } catch (IOException e) {
            return CUT;
        }
    }

    private RunningServer start(Program program, String heap, TestPki pki) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow"));
        if (program == Program.APISERVER_LITE) {
            flags.add("--data-dir=" + directory.resolve("data"));
        }
        return RunningServer.start(program.launcherAfter(directory, "export JAVA_OPTS=" + heap), flags);
    }
}
