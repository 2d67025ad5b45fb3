package io.plat.client.remote;

import java.nio.ByteBuffer;

/**
 * Reader of server-sent events (the HTML standard, 9.2.6) as far as revisions need them: one line of data each, of bounded length. Other fields
 * (comments, ids, names of events) are skipped. Not thread-safe.
 */
final class EventStreamReader {
    /** Far longer than any line of a stream of revisions. */
    private static final int LONGEST_LINE = 1024;

    private static final String DATA = "data";

    private final Events events;
    private final StringBuilder line = new StringBuilder();
    private String data = "";
    private boolean afterReturn;

    /** A stream whose events go to a consumer. */
    EventStreamReader(Events events) {
        this.events = events;
    }

    /** Takes the data of one event after another. */
    @FunctionalInterface
    interface Events {
        /**
         * Handles an event.
         *
         * @throws MalformedException if it is not an expected one; the stream is unusable then
         */
        void accept(String data) throws MalformedException;
    }

    /** The stream is none of revisions. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message);
        }
    }

    /**
     * Reads on.
     *
     * @throws MalformedException where a line is too long or an event has several lines; the stream is of no more use then
     */
    void read(ByteBuffer bytes) throws MalformedException {
        while (bytes.hasRemaining()) {
            // Non-ASCII bytes become other characters, which no name of a revision has.
            char c = (char) (bytes.get() & 0xff);
            boolean ended = c == '\r' || (c == '\n' && !afterReturn);
            boolean skipped = c == '\n' && afterReturn;
            afterReturn = c == '\r';
            if (ended) {
                end(line.toString());
                line.setLength(0);
            } else if (!skipped) {
                add(c);
            }
        }
    }

    private void add(char c) throws MalformedException {
        if (line.length() == LONGEST_LINE) {
            throw new MalformedException("a line of more than " + LONGEST_LINE + " bytes");
        }
        line.append(c);
    }

    private void end(String whole) throws MalformedException {
        if (whole.isEmpty()) {
            if (!data.isEmpty()) {
                events.accept(data);
            }
            data = "";
            return;
        }
        int colon = whole.indexOf(':');
        String field = colon < 0 ? whole : whole.substring(0, colon);
        if (!field.equals(DATA)) {
            return;
        }
        if (!data.isEmpty()) {
            throw new MalformedException("an event of several lines");
        }
        int begin = colon + 1;
        data = colon < 0
                ? ""
                : whole.substring(begin < whole.length() && whole.charAt(begin) == ' ' ? begin + 1 : begin);
    }
}
