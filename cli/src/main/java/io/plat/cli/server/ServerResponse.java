package io.plat.cli.server;

import java.nio.charset.StandardCharsets;

/**
 * A server's response.
 *
 * @param code the HTTP status code
 * @param contentType the media type, {@code ""} if it named none
 * @param body the bytes, bounded
 */
// The array is not shared or modified.
@SuppressWarnings("ArrayRecordComponent")
public record ServerResponse(int code, String contentType, byte[] body) {
    /** Returns whether the status code is a success. */
    public boolean succeeded() {
        return code >= 200 && code < 300;
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Limits of a chunked list, whose number of chunks the server determines. */
    public static final class Chunks {
        /** Number of objects per chunk. */
        public static final int SIZE = 500;

        /** Maximum number of chunks of a list. */
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

        /** Returns the failure of a list beyond the limits. */
        public static String problem() {
            return "the list has more than " + MOST + " chunks or " + (MOST_BYTES >> 20)
                    + " MiB; the rest was not read";
        }
    }
}
