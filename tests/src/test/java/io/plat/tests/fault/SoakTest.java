package io.plat.tests.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.RunningServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Both servers under a long mixed load: memory, descriptors, threads and latency do not grow. Half an hour in the full run; {@code
 * -Dplat.soak} sets the seconds. The first third is a warm-up, in which the history of writes reaches its limit; the next sixth is compared
 * with the last one.
 */
@EnabledIf("isRequested")
class SoakTest {
    private static final int SECONDS = Integer.getInteger("plat.soak", Boolean.getBoolean("plat.full") ? 1800 : 0);
    private static final int SIXTHS = 6;
    private static final int SAMPLES = 60;

    /** A short history and a small heap, which reach their final size during the warm-up: a large heap grows for hours without a leak. */
    private static final String HISTORY = "--watch-history=duration:15s";

    private static final String HEAP = "-Xmx256m";

    private static final double GROWTH = 1.1;
    private static final String MAPS = "/api/v1/namespaces/soak/configmaps";

    /** Latencies in the current sixth, in nanoseconds. */
    private volatile Queue<Long> latencies = new ConcurrentLinkedQueue<>();

    static boolean isRequested() {
        return SECONDS > 0;
    }

    @Test
    void resourceUsageIsStable() throws Exception {
        List<Map<String, Double>> sixths = new ArrayList<>();
        CountDownLatch stopped = new CountDownLatch(1);
        try (DelegatingSystem system = DelegatingSystem.startWithJavaOptions(HEAP, HISTORY);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try (HttpsClient admin = system.client("admin")) {
                admin.post(system.at("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"soak\"}}");
            }
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String name = "soak-" + i;
                clients.add(threads.submit(() -> load(system, name, stopped)));
            }
            for (int sixth = 0; sixth < SIXTHS; sixth++) {
                latencies = new ConcurrentLinkedQueue<>();
                sixths.add(sixth(system, stopped));
                System.out.println("soak, sixth " + sixth + " of " + SECONDS + " s: " + sixths.getLast());
            }
            stopped.countDown();
            for (Future<?> client : clients) {
                client.get();
            }
        } finally {
            stopped.countDown();
        }
        sixths.getLast()
                .forEach((name, last) -> assertThat(last)
                        .as(name)
                        .isLessThanOrEqualTo(GROWTH * sixths.get(2).getOrDefault(name, 0.0)));
    }

    private Map<String, Double> sixth(DelegatingSystem system, CountDownLatch stopped) throws Exception {
        Map<String, Double> sums = new TreeMap<>();
        for (int sample = 0; sample < SAMPLES; sample++) {
            if (stopped.await(SECONDS * 1000L / SIXTHS / SAMPLES, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("ended too early");
            }
            add(sums, "decider", system.decider());
            add(sums, "server", system.server());
        }
        long[] times = latencies.stream().mapToLong(Long::longValue).sorted().toArray();
        sums.replaceAll((name, sum) -> sum / SAMPLES);
        sums.put("median in us", times[times.length / 2] / 1e3);
        sums.put("mean in us", Arrays.stream(times).average().orElse(0) / 1e3);
        return sums;
    }

    private static void add(Map<String, Double> sums, String name, RunningServer server) throws IOException {
        Path process = Path.of("/proc", Long.toString(server.pid()));
        for (String line : Files.readAllLines(process.resolve("status"))) {
            if (line.startsWith("VmRSS:") || line.startsWith("Threads:")) {
                String[] arguments = line.split("\\s+", 3);
                sums.merge(name + " " + arguments[0], Double.parseDouble(arguments[1]), Double::sum);
            }
        }
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            sums.merge(name + " descriptors", (double) descriptors.count(), Double::sum);
        }
    }

    /** Writes, reads, watches, and denied requests; connections are renewed periodically. */
    private Void load(DelegatingSystem system, String name, CountDownLatch stopped) throws Exception {
        for (int round = 0; stopped.getCount() > 0; round++) {
            try (HttpsClient admin = system.client("admin");
                    HttpsClient mallory = system.client("mallory");
                    HttpsClient delegating = system.client("apiserver-lite");
                    OpenWatch watch = OpenWatch.open(admin, system.at(MAPS + "?watch=true"))) {
                assertThat(watch.code()).isEqualTo(200);
                for (int i = 0; i < 50 && !stopped.await(10, TimeUnit.MILLISECONDS); i++) {
                    URI object = system.at(MAPS + "/" + name);
                    String body =
                            "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"a\":\"" + "x".repeat(1000) + "\"}}";
                    timed(201, () -> admin.post(system.at(MAPS), body).statusCode());
                    timed(200, () -> admin.get(system.at(MAPS)).statusCode());
                    timed(403, () -> mallory.get(object).statusCode());
                    // Each request is different, so that none is cached.
                    String review = """
                        {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview",
                        "spec":{"user":"user-%s-%d-%d","nonResourceAttributes":{"path":"/","verb":"get"}}}\
                        """.formatted(name, round, i);
                    timed(
                            200,
                            () -> delegating
                                    .post(system.decider().at("/authorize"), review)
                                    .statusCode());
                    timed(200, () -> admin.send("DELETE", object, null).statusCode());
                }
            }
        }
        return null;
    }

    private interface TimedRequest {
        int code() throws IOException;
    }

    private void timed(int expected, TimedRequest requested) throws IOException {
        long began = System.nanoTime();
        int code = requested.code();
        latencies.add(Duration.ofNanos(System.nanoTime() - began).toNanos());
        assertThat(code).isEqualTo(expected);
    }
}
