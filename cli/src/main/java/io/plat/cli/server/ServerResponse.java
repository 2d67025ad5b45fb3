package io.plat.cli.server;

import java.nio.charset.StandardCharsets;

/**
 * A server's response.
 *
 * @param code the HTTP status code
 * @param contentType the media type, {@code ""} if it named none
 * @param body the bytes, bounded
 */
// The array is the answer's own and is read, not changed; a copy for each read would buy nothing.
@SuppressWarnings("ArrayRecordComponent")
public record ServerResponse(int code, String contentType, byte[] body) {
    /** Returns whether the status code is a success. */
    public boolean succeeded() {
        return code >= 200 && code < 300;
    }

    /** The body as text. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Bounds of a list that a server sends in chunks: it is the server that decides how many there are. */
    public static final class Chunks {
        /** The objects that are requested in a chunk. */
        public static final int SIZE = 500;

        /** The most chunks that are read of a list. */
        public static final int MOST = 2000;

        private static final long MOST_BYTES = 256 << 20;

        private int read;
        private long bytes;

        /** Counts a chunk that does not end its list; returns whether the next one may be requested. */
        public boolean admitNext(ServerResponse chunk) {
            read++;
            bytes += chunk.body().length;
            return read < MOST && bytes < MOST_BYTES;
        }

        /** The problem of a list that is not admitted. */
        public static String problem() {
            return "the list has more than " + MOST + " chunks or " + (MOST_BYTES >> 20)
                    + " MiB; the rest was not read";
        }
    }
}
