package io.plat.decider.revision;

import io.plat.http.stream.EventStream;
import java.nio.charset.StandardCharsets;

/** A subscriber to revisions. Nothing is queued during a write: only the revision in effect after it matters. */
final class Subscriber extends EventStream {
    private String told = "";
    private String present = "";

    /** Creates a subscriber that has not received anything. */
    Subscriber(Place place) {
        super(place);
    }

    /** This revision decides now. */
    void send(String revision) {
        present = revision;
        if (isFree() && !told.equals(present)) {
            told = present;
            write(("id: " + told + "\ndata: " + told + "\n\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Override
    protected void told() {
        send(present);
    }
}
