package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TlsConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Greedy clients and their effect on others, on a server with a heap of 256 MiB. */
class FairSharesTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps?dryRun=All";
    private static final int UPLOADS = 31;

    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.startWithJavaOptions("-Xmx256m");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> large() throws IOException {
        String body = "{\"metadata\":{\"name\":\"large\"},\"data\":{\"a\":\"" + "x".repeat(900_000) + "\"}}";
        return server.client().post(server.at(MAPS), body);
    }

    /** All from one anonymous client; the end of each upload is withheld. */
    private static List<TlsConnection> unfinishedUploads(int bytes) throws IOException {
        var uploads = new ArrayList<TlsConnection>();
        for (int i = 0; i < UPLOADS; i++) {
            TlsConnection upload =
                    TlsConnection.to(server.pki().tls(null), server.process().port());
            upload.send("POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: " + (bytes + 1) + "\r\n\r\n");
            uploads.add(upload);
            try {
                upload.send("x".repeat(bytes));
            } catch (IOException rejected) {
                // Beyond its share, uploads of the client are refused immediately.
                assertThat(uploads).hasSizeGreaterThan(1);
            }
        }
        return uploads;
    }

    @Test
    void unfinishedUploadsDoNotStarveOthers() throws Exception {
        List<TlsConnection> uploads = unfinishedUploads(260_000);
        try {
            for (int i = 0; i < 8; i++) {
                HttpResponse<String> answer = large();
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            }
            // Uploads that would use the others' share are refused.
            assertThat(uploads.getLast().head()).contains(" 429 ");
        } finally {
            for (TlsConnection upload : uploads) {
                upload.close();
            }
        }
    }

    /** Selectors are retained during a watch: without a limit some watches would use all memory. */
    @Test
    void watchesWithLongSelectorsCountAsSeveral() throws Exception {
        var values = new StringBuilder("x%20in%20(0");
        for (int i = 1; values.length() < 16_000; i++) {
            values.append(',').append(Integer.toHexString(i));
        }
        List<TlsConnection> watches = new ArrayList<>();
        List<String> heads = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                TlsConnection watch = TlsConnection.to(
                        server.pki().tls("admin"), server.process().port());
                watches.add(watch);
                watch.send("GET /api/v1/namespaces/default/configmaps?watch=1&labelSelector=" + values
                        + ") HTTP/1.1\r\nHost: localhost\r\n\r\n");
                heads.add(watch.head());
            }
            assertThat(heads.getFirst()).contains(" 200 ");
            assertThat(heads).as("an eighth of the heap").anyMatch(head -> head.contains(" 429 "));
            assertThat(large().statusCode()).isEqualTo(201);
        } finally {
            for (TlsConnection watch : watches) {
                watch.close();
            }
        }
        String tooLong = server.at("/api/v1/namespaces/default/configmaps?labelSelector=" + "x".repeat(17_000))
                .toString();
        assertThat(server.client().get(URI.create(tooLong)).statusCode()).isEqualTo(400);
    }

    @Test
    void slowUploadReceives408() throws Exception {
        try (TlsConnection upload =
                TlsConnection.to(server.pki().tls("admin"), server.process().port())) {
            upload.send("POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 100000\r\n\r\n{");
            assertThat(upload.head()).contains(" 408 ");
        }
    }
}
