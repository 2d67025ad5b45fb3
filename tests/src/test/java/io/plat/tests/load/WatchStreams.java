package io.plat.tests.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * Many open watches that count events, all read by one thread, to measure the time until the last one has received an event. It shares the
 * machine with the server, and so must be cheap.
 */
final class WatchStreams implements AutoCloseable {
    private static final int WAIT_SECONDS = 10;

    private final Selector selector = Selector.open();
    private final List<TlsChannel> channels = new ArrayList<>();
    private volatile CountDownLatch unseen = new CountDownLatch(0);
    private final Thread reader = Thread.ofPlatform().name("watching").unstarted(this::read);

    /** A watch, and the last byte that was read from it. */
    private static final class Stream {
        private final TlsChannel channel;
        private byte last;

        Stream(TlsChannel channel) {
            this.channel = channel;
        }
    }

    /**
     * Opens the watches.
     *
     * @throws IOException if the server does not serve a watch
     */
    WatchStreams(SSLContext tls, int port, int count, String path) throws IOException {
        byte[] request = ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        try {
            for (int i = 0; i < count; i++) {
                var channel = new TlsChannel(tls, port);
                channels.add(channel);
                channel.send(ByteBuffer.wrap(request));
                readHead(channel);
                channel.follow().register(selector, SelectionKey.OP_READ, new Stream(channel));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        reader.start();
    }

    private static void readHead(TlsChannel channel) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(64 * 1024);
        String text = "";
        while (!text.contains("\r\n\r\n")) {
            channel.read(head);
            text = new String(head.array(), 0, head.position(), StandardCharsets.ISO_8859_1);
        }
        if (!text.startsWith("HTTP/1.1 200")) {
            throw new EOFException(
                    "a watch was answered " + text.lines().findFirst().orElse(""));
        }
    }

    /** Reads until the selector is closed. */
    private void read() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
        try {
            while (true) {
                selector.select(key -> {
                    if (!read((Stream) key.attachment(), buffer)) {
                        key.cancel();
                    }
                });
            }
        } catch (ClosedSelectorException over) {
            // The run is over.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads events and returns whether the stream continues. An event ends with a brace and a line end, which occur nowhere else. */
    private boolean read(Stream stream, ByteBuffer buffer) {
        try {
            boolean more = true;
            while (more) {
                more = stream.channel.read(buffer.clear()) > 0 && stream.channel.holdsMore();
                int have = buffer.position();
                byte last = stream.last;
                int count = 0;
                for (int i = 0; i < have; i++) {
                    byte next = buffer.get(i);
                    count += next == '\n' && last == '}' ? 1 : 0;
                    last = next;
                }
                stream.last = last;
                for (; count > 0; count--) {
                    unseen.countDown();
                }
                // The selector reports more data; another system call would cost as much as reading.
            }
            return true;
        } catch (IOException ended) {
            // Waiters for this watch's event are released.
            return false;
        }
    }

    /** Returns the nanoseconds until every watch has received the event of a write. */
    long untilTheLast(Write write) throws Exception {
        var all = new CountDownLatch(channels.size());
        unseen = all;
        long began = System.nanoTime();
        write.run();
        if (!all.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException(all.getCount() + " watches did not show a write");
        }
        return System.nanoTime() - began;
    }

    /** Executes one write. */
    @FunctionalInterface
    interface Write {
        void run() throws Exception;
    }

    @Override
    public void close() throws IOException {
        selector.close();
        for (TlsChannel channel : channels) {
            channel.close();
        }
    }
}
