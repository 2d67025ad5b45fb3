package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** Servers keep their connections to a decider: the memory per connection limits the number of servers. */
final class IdleConnectionMemoryTest {
    private static final int CONNECTIONS = 450;

    /** 10 MiB of these are the baseline, and 14 MiB the young generation. */
    private static final String HEAP = "-Xmx48m";

    private static final String REVIEW = """
            {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"alice",\
            "nonResourceAttributes":{"verb":"get","path":"/"}}}""";

    /** With all headers of an API server's webhook client. */
    private static final String REQUEST = """
            POST /authorize?timeout=30s HTTP/1.1
            Host: localhost
            User-Agent: kube-apiserver/v1.34.1 (linux/amd64) kubernetes/93248f9
            Content-Length: %d
            Accept: application/json, */*
            Content-Type: application/json
            Accept-Encoding: gzip

            """.replace("\n", "\r\n").formatted(REVIEW.length()) + REVIEW;

    @Test
    void idleConnectionsUseLittleMemory() throws IOException {
        Deque<RawClient> idle = new ArrayDeque<>();
        try (TestPki pki = TestPki.create().client("existing-server");
                RunningServer decider = start(pki)) {
            SSLContext tls = pki.tls("existing-server");
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), decider.port());
            try {
                for (int i = 0; i < CONNECTIONS; i++) {
                    idle.push(new RawClient(address, tls));
                    answers(idle.getFirst());
                }
                for (RawClient each : idle) {
                    answers(each);
                }
            } finally {
                for (RawClient each : idle) {
                    each.close();
                }
            }
        }
    }

    private static RunningServer start(TestPki pki) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow"));
        return RunningServer.start(Program.DECIDER.launcherAfter(pki.directory(), "export JAVA_OPTS=" + HEAP), flags);
    }

    private static void answers(RawClient client) throws IOException {
        assertThat(client.send(REQUEST).answer().text()).contains("\"allowed\":true");
    }
}
