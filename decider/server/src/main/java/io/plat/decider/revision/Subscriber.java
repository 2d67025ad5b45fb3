package io.plat.decider.revision;

import io.plat.http.stream.EventStream;
import java.nio.charset.StandardCharsets;

/**
 * One client that is told revisions. While a write is under way nothing is gathered: once it is done, only the revision that decides by
 * then matters.
 */
final class Subscriber extends EventStream {
    private String told = "";
    private String present = "";

    /** A subscriber that has been told nothing yet. */
    Subscriber(Place place) {
        super(place);
    }

    /** This revision decides now. */
    void tell(String revision) {
        present = revision;
        if (isFree() && !told.equals(present)) {
            told = present;
            write(("id: " + told + "\ndata: " + told + "\n\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Override
    protected void told() {
        tell(present);
    }
}
