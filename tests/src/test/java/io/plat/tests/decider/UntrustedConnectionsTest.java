package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.Directories;
import io.plat.tests.process.OpenStream;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import io.plat.tests.process.TlsConnection;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection ends with its client certificate's validity or the trust in its authority, as does a resumable session. */
class UntrustedConnectionsTest {
    /** The limit is one second; the rest is a margin for busy machines. */
    private static final long BOUND_MILLIS = 5_000;

    private static final String[] PROTOCOLS = {"TLSv1.2", "TLSv1.3"};

    private static TestPki pki;
    private static Path directory = Path.of("");
    private static Path authorities = Path.of("");
    private static String both = "";
    private static RunningServer decider;
    private static RunningServer apiServer;

    private enum Server {
        DECIDER,
        API_SERVER;

        RunningServer process() {
            return this == DECIDER ? decider : apiServer;
        }
    }

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("trusted").untrustedClient("foreign");
        directory = Files.createTempDirectory("plat-connections");
        both = Files.readString(Path.of(pki.file("ca.crt"))) + Files.readString(Path.of(pki.file("other-ca.crt")));
        authorities = Files.writeString(directory.resolve("clients.crt"), both);
        List<String> flags = new ArrayList<>(List.of(
                "--tls-cert-file=" + pki.file("server.crt"),
                "--tls-private-key-file=" + pki.file("server.key"),
                "--client-ca-file=" + authorities,
                "--secure-port=0",
                "--authorization-mode=AlwaysAllow"));
        decider = RunningServer.startReused(Program.DECIDER, flags);
        flags.add("--data-dir=" + directory.resolve("data"));
        apiServer = RunningServer.startReused(Program.APISERVER_LITE, flags);
    }

    @AfterAll
    static void stop() {
        decider.close();
        apiServer.close();
        pki.close();
        Directories.delete(directory);
    }

    private static HttpClient http(String name, HttpClient.Version version) {
        return HttpClient.newBuilder()
                .sslContext(pki.tls(name))
                .version(version)
                .build();
    }

    /** A kept-alive connection. */
    private static OpenStream idle(TlsConnection connection) throws IOException {
        assertThat(connection.get("/version").head()).contains(" 200 ");
        var ended = new CompletableFuture<Long>();
        Thread.ofVirtual().start(() -> {
            connection.drain();
            ended.complete(System.nanoTime());
        });
        return new OpenStream("idle connection", ended);
    }

    /** Connections of every kind that a server has. */
    private static List<OpenStream> opened(Server server, String name) throws IOException {
        RunningServer process = server.process();
        List<OpenStream> all = new ArrayList<>();
        for (String protocol : PROTOCOLS) {
            all.add(idle(TlsConnection.to(pki.tls(name), process.port(), protocol)));
        }
        if (server == Server.DECIDER) {
            for (HttpClient.Version version : HttpClient.Version.values()) {
                if (!version.name().equals("HTTP_3")) {
                    for (String path : List.of("/revisions", "/decisions")) {
                        all.add(OpenStream.response(http(name, version), process.at(path), Map.of()));
                    }
                }
            }
        } else {
            for (HttpClient.Version version : List.of(HttpClient.Version.HTTP_1_1, HttpClient.Version.HTTP_2)) {
                all.add(OpenStream.response(http(name, version), process.at("/api/v1/secrets?watch=1"), Map.of()));
            }
            HttpClient http = http(name, HttpClient.Version.HTTP_1_1);
            all.add(OpenStream.socket(http, process.at("/api/v1/secrets?watch=1"), Map.of()));
        }
        return all;
    }

    /** An SSL context with a resumable session. */
    private static SSLContext resumable(RunningServer process, String name, String protocol) throws IOException {
        SSLContext tls = pki.tls(name);
        long first;
        try (TlsConnection connection = TlsConnection.to(tls, process.port(), protocol)) {
            assertThat(connection.get("/version").head()).contains(" 200 ");
            first = connection.sessionCreated();
        }
        try (TlsConnection connection = TlsConnection.to(tls, process.port(), protocol)) {
            assertThat(connection.get("/version").head()).contains(" 200 ");
            assertThat(connection.sessionCreated()).as("the session is resumed").isEqualTo(first);
        }
        return tls;
    }

    private static void allEnd(String cause, Server server, List<OpenStream> opened, long begin) {
        List<Long> millis =
                opened.stream().map(stream -> stream.endedMillisAfter(begin)).toList();
        System.out.println(cause + ", " + server + ": connections ended after " + millis + " ms");
        assertThat(millis).allMatch(took -> took < BOUND_MILLIS);
    }

    /** Returns the first line of the response over a resumed session, or that there was none. */
    private static String resumed(RunningServer process, SSLContext tls, String protocol) throws IOException {
        try (TlsConnection connection = TlsConnection.to(tls, process.port(), protocol)) {
            return connection.get("/version").head();
        } catch (IOException rejected) {
            return "cut off";
        }
    }

    private static void noneIsResumed(Server server, SSLContext[] tls) throws IOException {
        for (int i = 0; i < tls.length; i++) {
            assertThat(resumed(server.process(), tls[i], PROTOCOLS[i]))
                    .as(PROTOCOLS[i])
                    .doesNotContain(" 200 ");
        }
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void removedAuthorityEndsConnections(Server server) throws IOException {
        // The other server may have been tried first.
        await().until(() ->
                resumed(server.process(), pki.tls("foreign"), "TLSv1.3").contains(" 200 "));
        SSLContext[] tls = {
            resumable(server.process(), "foreign", PROTOCOLS[0]), resumable(server.process(), "foreign", PROTOCOLS[1])
        };
        List<OpenStream> opened = opened(server, "foreign");
        List<OpenStream> others = opened(server, "trusted");
        try {
            long begin = AtomicFile.put(authorities, Files.readString(Path.of(pki.file("ca.crt"))));
            allEnd("authority removed", server, opened, begin);
            noneIsResumed(server, tls);
            assertThat(others).noneMatch(stream -> stream.ended().isDone());
        } finally {
            AtomicFile.put(authorities, both);
        }
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void expiredCertificateEndsConnections(Server server) throws IOException {
        String name = "brief-" + server.name().toLowerCase(Locale.ROOT);
        Instant end = pki.clientUntil(name, Instant.now().plusSeconds(10));
        SSLContext[] tls = {
            resumable(server.process(), name, PROTOCOLS[0]), resumable(server.process(), name, PROTOCOLS[1])
        };
        List<OpenStream> opened = opened(server, name);
        long begin = System.nanoTime() + Duration.between(Instant.now(), end).toNanos();
        allEnd("certificate expired", server, opened, begin);
        noneIsResumed(server, tls);
    }
}
