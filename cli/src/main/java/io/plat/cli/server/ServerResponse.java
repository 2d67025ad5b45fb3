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
}
