package io.plat.http.stream;

import io.plat.http.InFlightPlaces.Place;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** The stream of one subscriber. Lines that arrive during a write are queued, up to a limit, and sent with the next one. */
final class LineSubscriber extends EventStream {
    /** Maximum bytes of the decisions that wait for one subscriber. */
    static final int MAX_WAITING = 512 << 10;

    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private int bytes;
    private long dropped;

    /** A subscriber that was not notified yet. */
    LineSubscriber(Place place) {
        super(place);
    }

    /** Sends a first event, so that the client knows at once that it was admitted. */
    void greet() {
        beat();
    }

    /** A decision was made. */
    void send(byte[] event) {
        if (bytes + event.length > MAX_WAITING) {
            dropped++;
        } else {
            waiting.add(event);
            bytes += event.length;
        }
        told();
    }

    /** Decisions were made of which nothing is known but their number. */
    void missed(long number) {
        dropped += number;
        told();
    }

    @Override
    protected void told() {
        if (!isFree() || (waiting.isEmpty() && dropped == 0)) {
            return;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 10);
        if (dropped > 0) {
            out.writeBytes(("event: dropped\ndata: " + dropped + "\n\n").getBytes(StandardCharsets.US_ASCII));
            dropped = 0;
        }
        for (byte[] event = waiting.poll(); event != null; event = waiting.poll()) {
            out.writeBytes(event);
        }
        bytes = 0;
        write(out.toByteArray());
    }

    @Override
    protected void over() {
        waiting.clear();
    }
}
