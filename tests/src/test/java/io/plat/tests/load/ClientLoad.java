package io.plat.tests.load;

import io.plat.client.Access;
import io.plat.client.AccessClient;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.codec.ReviewCodec;
import io.plat.tests.process.Directories;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * CPU time and latency of an uncached check by the client library, compared with the same request by the JDK's HttpClient with the server's
 * codec. One thread, alternating rounds, in one process; prints the medians.
 */
public final class ClientLoad {
    private static final int ROUNDS = 9;
    private static final int REQUESTS = 5000;

    private ClientLoad() {}

    /** One request. */
    @FunctionalInterface
    private interface Call {
        void make() throws Exception;
    }

    /** Runs both and prints the results. */
    public static void main(String[] arguments) throws Exception {
        TestPki pki = TestPki.create().client("program");
        Path directory = Files.createTempDirectory("plat-client-load");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow"));
        try (RunningServer decider = RunningServer.start(Program.DECIDER, flags);
                AccessClient client = AccessClient.builder()
                        .decider(decider.at("/authorize"))
                        .certificates(
                                Path.of(pki.file("ca.crt")),
                                Path.of(pki.file("program.crt")),
                                Path.of(pki.file("program.key")))
                        .cacheFor(Duration.ZERO, Duration.ZERO)
                        .build();
                HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(pki.tls("program"))
                        .build()) {
            Access access = Access.path("get", "/reports").by("alice");
            byte[] review = new ReviewCodec()
                    .encodeRequest(
                            ReviewVersion.K8S_V1,
                            new Attributes(
                                    new UserInfo("alice", List.of()), new NonResourceAttributes("/reports", "get")));
            URI url = decider.at("/authorize");
            compare(() -> require(client.check(access).allowed()), () -> require(raw(http, url, review)));
        } finally {
            Directories.delete(directory);
            pki.close();
        }
    }

    private static boolean raw(HttpClient http, URI url, byte[] review) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(3))
                .POST(HttpRequest.BodyPublishers.ofByteArray(review))
                .build();
        byte[] body =
                http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
        return new ReviewCodec().decodeResponse(body, ReviewVersion.K8S_V1).allowed();
    }

    private static void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalStateException("not allowed");
        }
    }

    private static void compare(Call client, Call raw) throws Exception {
        List<double[]> clients = new ArrayList<>();
        List<double[]> raws = new ArrayList<>();
        round(client);
        round(raw);
        for (int i = 0; i < ROUNDS; i++) {
            clients.add(round(client));
            raws.add(round(raw));
        }
        System.out.printf(
                "uncached check: %.1f us of CPU, %.1f us; HttpClient: %.1f us of CPU, %.1f us; CPU ratio %.2f%n",
                median(clients, 0),
                median(clients, 1),
                median(raws, 0),
                median(raws, 1),
                median(clients, 0) / median(raws, 0));
    }

    /** Microseconds of CPU and of time, each. */
    private static double[] round(Call call) throws Exception {
        double cpu = cpu();
        long begin = System.nanoTime();
        for (int i = 0; i < REQUESTS; i++) {
            call.make();
        }
        double time = (System.nanoTime() - begin) / 1e3;
        return new double[] {(cpu() - cpu) * 1e6 / REQUESTS, time / REQUESTS};
    }

    private static double cpu() throws IOException {
        return ProcessorTime.seconds(ProcessHandle.current().pid());
    }

    private static double median(List<double[]> rounds, int index) {
        return rounds.stream()
                .mapToDouble(round -> round[index])
                .sorted()
                .skip(ROUNDS / 2)
                .findFirst()
                .orElseThrow();
    }
}
