package io.plat.cli.server;

import io.plat.cli.process.CommandException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

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
    private static final int CHUNK_SIZE = 500;
    private static final int MAX_CHUNKS = 2000;
    private static final long MAX_LIST_BYTES = 256 << 20;

    /** Returns whether the status code is a success. */
    public boolean succeeded() {
        return code >= 200 && code < 300;
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Reader of a chunk of a list. */
    @FunctionalInterface
    public interface ChunkReader<X extends Exception> {
        /** Reads a chunk, and returns the token of the next one; {@code ""} after the last. */
        String read(ServerResponse chunk) throws X;
    }

    /**
     * Reads a list in chunks, whose number the server determines.
     *
     * @return the refusal of the server, or the failure of a list beyond the limits; null if the list is complete
     * @throws CommandException if the server cannot be reached
     */
    public static <X extends Exception> @Nullable CommandException readChunks(
            HttpsConnection server, String path, ChunkReader<X> reader) throws X {
        String next = "";
        long bytes = 0;
        for (int chunks = 0; chunks < MAX_CHUNKS && bytes < MAX_LIST_BYTES; chunks++) {
            ServerResponse chunk =
                    server.get(path + "?limit=" + CHUNK_SIZE + (next.isEmpty() ? "" : "&continue=" + urlSegment(next)));
            if (!chunk.succeeded()) {
                return FailureText.by(server.server(), chunk);
            }
            next = reader.read(chunk);
            if (next.isEmpty()) {
                return null;
            }
            bytes += chunk.body().length;
        }
        return CommandException.undetermined(server.server() + path + ": the list has more than " + MAX_CHUNKS
                + " chunks or " + (MAX_LIST_BYTES >> 20) + " MiB; the rest was not read");
    }

    /** Returns a text as one segment of a URL's path, or as a parameter of its query. */
    public static String urlSegment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns a text, whose slashes separate segments, as a part of a URL's path. */
    public static String urlPath(String text) {
        return urlSegment(text).replace("%2F", "/");
    }
}
