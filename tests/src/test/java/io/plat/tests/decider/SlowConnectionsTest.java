package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawClient;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** Many slow clients, and the effect on others. */
class SlowConnectionsTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int SLOW = FULL ? 10_000 : 1_000;

    /** One in this many has completed the handshake and sent half a request, which is more expensive for both sides. */
    private static final int SHAKEN = 20;

    /** The beginning of a TLS record that is longer than the data that follows. */
    private static final byte[] HALF_A_HELLO = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};

    private static final Duration PROMPT = Duration.ofSeconds(2);
    private static final String REVIEW = """
            {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"alice",
             "nonResourceAttributes":{"verb":"get","path":"/"}}}""";

    @Test
    void otherClientsAreServed() throws Exception {
        List<AutoCloseable> slow = new ArrayList<>();
        try (TestPki pki = TestPki.create().client("caller");
                RunningServer decider = start(pki)) {
            SSLContext tls = pki.tls("caller");
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), decider.port());
            try {
                for (int i = 0; i < SLOW; i++) {
                    slow.add(i % SHAKEN == 0 ? halfARequest(address, tls) : halfAHello(address, i % 2 == 0));
                }
                answersPromptly(pki, decider);
                if (FULL) {
                    awaitEndOfAll(slow);
                    answersPromptly(pki, decider);
                }
            } finally {
                for (AutoCloseable each : slow) {
                    each.close();
                }
            }
        }
    }

    private static RunningServer start(TestPki pki) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow"));
        return RunningServer.start(Program.DECIDER, flags);
    }

    private static AutoCloseable halfARequest(InetSocketAddress address, SSLContext tls) throws IOException {
        return new RawClient(address, tls)
                .send("POST /authorize HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{");
    }

    private static SocketChannel halfAHello(InetSocketAddress address, boolean silent) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        if (!silent) {
            channel.write(ByteBuffer.wrap(HALF_A_HELLO));
        }
        return channel;
    }

    /** Over a kept-alive connection, and over new ones. */
    private static void answersPromptly(TestPki pki, RunningServer decider) throws IOException {
        for (int connection = 0; connection < 3; connection++) {
            try (HttpsClient client = HttpsClient.of(pki, "caller")) {
                for (int i = 0; i < 20; i++) {
                    long began = System.nanoTime();
                    assertThat(client.post(decider.at("/authorize"), REVIEW).body())
                            .contains("\"allowed\":true");
                    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(PROMPT);
                }
            }
        }
    }

    /** Each is disconnected by its timeout; the test waits by reading. */
    private static void awaitEndOfAll(List<AutoCloseable> slow) throws IOException {
        ByteBuffer nothing = ByteBuffer.allocate(16);
        for (AutoCloseable each : slow) {
            if (each instanceof SocketChannel channel) {
                assertThat(channel.read(nothing.clear())).isNegative();
            }
        }
    }
}
