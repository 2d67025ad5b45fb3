package io.plat.client.remote;

import java.nio.ByteBuffer;

/**
 * Reader of the subset of server-sent events (HTML Living Standard, 9.2.6) that revisions use: one line of data each, of bounded length. Comments are
 * heartbeats; other fields (ids, event names) are skipped. Not thread-safe.
 */
final class EventStreamReader {
    /** Maximum length of a line, far beyond that of revisions. */
    private static final int MAX_LINE = 1024;

    private static final String DATA = "data";

    private final Events events;
    private final Runnable heartbeat;
    private final StringBuilder line = new StringBuilder();
    private String data = "";
    private boolean afterReturn;

    /**
     * Creates a reader.
     *
     * @param events consumer of the events
     * @param heartbeat run for each comment
     */
    EventStreamReader(Events events, Runnable heartbeat) {
        this.events = events;
        this.heartbeat = heartbeat;
    }

    /** Consumer of the data of events. */
    @FunctionalInterface
    interface Events {
        /**
         * Handles an event.
         *
         * @throws MalformedException if it is unexpected; the stream must then be closed
         */
        void accept(String data) throws MalformedException;
    }

    /** The stream is not a revision stream. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message);
        }
    }

    /**
     * Reads the next bytes of the stream.
     *
     * @throws MalformedException if a line is too long or an event has several lines; the stream must then be closed
     */
    void read(ByteBuffer bytes) throws MalformedException {
        while (bytes.hasRemaining()) {
            // Non-ASCII bytes become characters that are invalid in names of revisions.
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
        if (line.length() == MAX_LINE) {
            throw new MalformedException("a line of more than " + MAX_LINE + " bytes");
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
        if (colon == 0) {
            heartbeat.run();
            return;
        }
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
