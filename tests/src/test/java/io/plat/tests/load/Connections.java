package io.plat.tests.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;

/** Connections with a thread each, which send the next request when the response was read. */
final class Connections implements AutoCloseable {
    private final List<Exchange> exchanges = new ArrayList<>();

    /** Results of a round. */
    static final class Round {
        private final double seconds;
        private final long[] nanos;

        private Round(double seconds, long[] sortedNanos) {
            this.seconds = seconds;
            this.nanos = sortedNanos;
        }

        /** Number of responses. */
        long requests() {
            return nanos.length;
        }

        /** Responses per second. */
        double perSecond() {
            return nanos.length / seconds;
        }

        /** Returns a quantile of the latency, in microseconds. */
        double micros(double quantile) {
            return nanos[(int) Math.min(nanos.length - 1, (long) (nanos.length * quantile))] / 1000.0;
        }
    }

    /** HTTP/1.1 connections that send the same request. */
    Connections(SSLContext tls, int port, int count, Request request) throws IOException {
        this(count, () -> new Http1Exchange(tls, port, request.copy()));
    }

    /** Opens this many equal connections. */
    Connections(int count, Exchange.Opener opener) throws IOException {
        for (int i = 0; i < count; i++) {
            exchanges.add(opener.open());
        }
    }

    /** Sends for this time on all connections. */
    Round round(double seconds) throws InterruptedException, ExecutionException {
        return round(System.nanoTime() + (long) (seconds * 1e9), Integer.MAX_VALUE);
    }

    /** Sends this many requests on each connection. */
    Round each(int requestsEach) throws InterruptedException, ExecutionException {
        return round(Long.MAX_VALUE, requestsEach);
    }

    private Round round(long end, int most) throws InterruptedException, ExecutionException {
        long began = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(exchanges.size())) {
            List<Future<long[]>> each = new ArrayList<>();
            for (Exchange exchange : exchanges) {
                each.add(threads.submit(() -> drive(exchange, end, most)));
            }
            List<long[]> parts = new ArrayList<>();
            for (Future<long[]> part : each) {
                parts.add(part.get());
            }
            double took = (System.nanoTime() - began) / 1e9;
            long[] all = parts.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            return new Round(took, all);
        }
    }

    private static long[] drive(Exchange exchange, long end, int most) throws IOException {
        long[] nanos = new long[1 << 12];
        int count = 0;
        for (long now = System.nanoTime(); now < end && count < most; ) {
            exchange.once();
            long after = System.nanoTime();
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count++] = after - now;
            now = after;
        }
        return Arrays.copyOf(nanos, count);
    }

    @Override
    public void close() throws IOException {
        for (Exchange exchange : exchanges) {
            exchange.close();
        }
    }
}
