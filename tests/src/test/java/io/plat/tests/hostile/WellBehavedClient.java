package io.plat.tests.hostile;

import io.plat.tests.process.HttpsClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A client that repeatedly reads one object over one connection, with a short pause, and measures the latency. */
final class WellBehavedClient {
    /** Without it, its reads would take a core of their own. */
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final HttpsClient client;
    private final URI object;

    WellBehavedClient(HttpsClient client, URI object) {
        this.client = client;
        this.object = object;
    }

    /** Concurrent work. */
    interface Work {
        void run() throws Exception;
    }

    /**
     * Reads during concurrent work.
     *
     * @return the latency of each read, ascending
     * @throws AssertionError if a read fails
     */
    List<Duration> readDuring(Work work) throws Exception {
        var done = new CountDownLatch(1);
        var reads = new FutureTask<>(() -> read(done));
        Thread thread = Thread.ofPlatform().name("well-behaved client").start(reads);
        try {
            work.run();
        } finally {
            done.countDown();
            thread.join();
        }
        return reads.get();
    }

    private List<Duration> read(CountDownLatch done) throws IOException, InterruptedException {
        List<Duration> times = new ArrayList<>();
        do {
            long began = System.nanoTime();
            HttpResponse<String> answer = client.get(object);
            times.add(Duration.ofNanos(System.nanoTime() - began));
            if (answer.statusCode() != 200 || !answer.body().contains(Oracle.OPEN)) {
                throw new AssertionError("the well-behaved client got " + answer.statusCode() + ": " + answer.body());
            }
        } while (!done.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        return times.stream().sorted().toList();
    }

    /** Returns the 99th percentile of ascending times. */
    static Duration p99(List<Duration> times) {
        return times.get((int) (times.size() * 0.99));
    }
}
