package io.plat.tests.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A lean client: a number of connections, a thread each, that send the next request as soon as the answer is read. It shares
 * the machine with the server, so that it must cost less than what it measures.
 */
final class Connections implements AutoCloseable {
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

    private final List<SSLSocket> sockets = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();

    /** What a round came to. */
    static final class Round {
        private final double seconds;
        private final long[] nanos;

        private Round(double seconds, long[] sortedNanos) {
            this.seconds = seconds;
            this.nanos = sortedNanos;
        }

        /** Answers that were read. */
        long requests() {
            return nanos.length;
        }

        /** Answers a second. */
        double perSecond() {
            return nanos.length / seconds;
        }

        /** The time of a request, in microseconds, that this part of all stayed below. */
        double micros(double quantile) {
            return nanos[(int) Math.min(nanos.length - 1, (long) (nanos.length * quantile))] / 1000.0;
        }
    }

    Connections(SSLContext tls, int port, int count, Request request) throws IOException {
        for (int i = 0; i < count; i++) {
            requests.add(request.copy());
            SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("localhost", port);
            socket.setTcpNoDelay(true);
            socket.startHandshake();
            sockets.add(socket);
        }
    }

    /** Sends for a while on all connections. */
    Round round(double seconds) throws InterruptedException, ExecutionException {
        return round(System.nanoTime() + (long) (seconds * 1e9), Integer.MAX_VALUE);
    }

    /** Sends so many requests on each connection. */
    Round each(int requestsEach) throws InterruptedException, ExecutionException {
        return round(Long.MAX_VALUE, requestsEach);
    }

    private Round round(long end, int most) throws InterruptedException, ExecutionException {
        long began = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(sockets.size())) {
            List<Future<long[]>> each = new ArrayList<>();
            for (int i = 0; i < sockets.size(); i++) {
                SSLSocket socket = sockets.get(i);
                Request request = requests.get(i);
                each.add(threads.submit(() -> drive(socket, request, end, most)));
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

    private static long[] drive(SSLSocket socket, Request request, long end, int most) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        byte[] buffer = new byte[16 * 1024];
        long[] nanos = new long[1 << 12];
        int count = 0;
        for (long now = System.nanoTime(); now < end && count < most; ) {
            out.write(request.next());
            readAnswer(in, buffer);
            long after = System.nanoTime();
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count++] = after - now;
            now = after;
        }
        return Arrays.copyOf(nanos, count);
    }

    /** Reads one answer; anything but a success ends the run. */
    private static void readAnswer(InputStream in, byte[] buffer) throws IOException {
        int have = 0;
        int head = -1;
        while (head < 0) {
            have += readMore(in, buffer, have);
            head = endOfHead(buffer, have);
        }
        if (buffer[9] != '2') {
            throw new IOException(new String(buffer, 0, have, StandardCharsets.ISO_8859_1));
        }
        int whole = head + contentLength(buffer, head);
        while (have < whole) {
            // What is behind the head is not looked at.
            int more = in.read(buffer, 0, Math.min(buffer.length, whole - have));
            if (more <= 0) {
                throw new EOFException("the server closed the connection");
            }
            have += more;
        }
    }

    private static int readMore(InputStream in, byte[] buffer, int have) throws IOException {
        int more = in.read(buffer, have, buffer.length - have);
        if (more <= 0) {
            throw new EOFException("the server closed the connection");
        }
        return more;
    }

    private static int endOfHead(byte[] buffer, int have) {
        for (int i = 3; i < have; i++) {
            if (buffer[i] == '\n' && buffer[i - 1] == '\r' && buffer[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private static int contentLength(byte[] buffer, int head) throws IOException {
        for (int i = 0; i + LENGTH.length < head; i++) {
            int at = 0;
            while (at < LENGTH.length && (buffer[i + at] | 0x20) == (LENGTH[at] | 0x20)) {
                at++;
            }
            if (at == LENGTH.length) {
                int length = 0;
                for (int j = i + at; buffer[j] != '\r'; j++) {
                    length = buffer[j] == ' ' ? length : 10 * length + buffer[j] - '0';
                }
                return length;
            }
        }
        throw new IOException("an answer without a length");
    }

    @Override
    public void close() throws IOException {
        for (SSLSocket socket : sockets) {
            socket.close();
        }
    }
}
