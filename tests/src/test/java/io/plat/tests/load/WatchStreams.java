package io.plat.tests.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Many open watches, a virtual thread each, that count events; how long it takes until the last has seen one. */
final class WatchStreams implements AutoCloseable {
    private static final int WAIT_SECONDS = 10;

    private final List<SSLSocket> sockets = new ArrayList<>();
    private final Phaser events = new Phaser(1);

    /**
     * Opens them.
     *
     * @throws IOException if the server does not serve a watch
     */
    WatchStreams(SSLContext tls, int port, int count, String path) throws IOException, InterruptedException {
        CountDownLatch open = new CountDownLatch(count);
        byte[] request = ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        try {
            for (int i = 0; i < count; i++) {
                SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("localhost", port);
                sockets.add(socket);
                socket.setTcpNoDelay(true);
                socket.getOutputStream().write(request);
                events.register();
                Thread.ofVirtual().start(() -> follow(socket, open));
            }
            if (!open.await(WAIT_SECONDS + count / 50, TimeUnit.SECONDS)) {
                throw new IOException(open.getCount() + " of " + count + " watches were not opened");
            }
        } catch (IOException | InterruptedException e) {
            close();
            throw e;
        }
    }

    /** Reads until the socket is closed. An event ends with a brace and a line end; nothing else in a stream does. */
    private void follow(SSLSocket socket, CountDownLatch open) {
        byte[] buffer = new byte[8192];
        try {
            InputStream in = socket.getInputStream();
            int head = in.read(buffer);
            if (head < 12 || buffer[9] != '2') {
                throw new EOFException("no watch");
            }
            open.countDown();
            byte last = 0;
            for (int have = in.read(buffer); have >= 0; have = in.read(buffer)) {
                for (int i = 0; i < have; i++) {
                    if (buffer[i] == '\n' && last == '}') {
                        events.arrive();
                    }
                    last = buffer[i];
                }
            }
        } catch (IOException ended) {
            // The run is over, or the watch was not served, which the one who opens them sees.
            events.arriveAndDeregister();
        }
    }

    /** Nanoseconds from now, when a write is made, until every watch has shown its event. */
    long untilTheLast(Write write) throws Exception {
        int phase = events.getPhase();
        long began = System.nanoTime();
        write.run();
        events.arrive();
        try {
            events.awaitAdvanceInterruptibly(phase, WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(events.getUnarrivedParties() + " watches did not show a write", e);
        }
        return System.nanoTime() - began;
    }

    /** Makes one write. */
    @FunctionalInterface
    interface Write {
        void run() throws Exception;
    }

    @Override
    public void close() {
        for (SSLSocket socket : sockets) {
            try {
                socket.close();
            } catch (IOException ignored) {
                // It is closed one way or the other.
            }
        }
    }
}
