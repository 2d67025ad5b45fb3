package io.plat.apiserver.filter;

import io.plat.http.authentication.Credentials;
import io.plat.review.status.StatusException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Received request. */
public interface IncomingRequest extends Credentials {
    String method();

    /** Returns the path as sent, still encoded. */
    String rawPath();

    /** Returns the query as sent, without its question mark; null if absent. */
    @Nullable
    String rawQuery();

    /** Returns all values of a header field, joined by commas (RFC 9110, 5.3); {@code ""} if absent. */
    String header(String name);

    default boolean hasHeader(Predicate<String> name) {
        return headerNames().stream().anyMatch(name);
    }

    /**
     * Reads the whole body; blocks.
     *
     * @param limit maximum size in bytes
     * @throws StatusException 413 if it is larger, 400 if it is incomplete
     */
    byte[] body(int limit) throws StatusException;

    /** Returns the address of the peer, {@code ""} if it has none. */
    String peer();

    /** Returns the time since the request arrived, in nanoseconds. */
    long ageNanos();

    /** Registers an action to run when the request is complete or has failed. */
    void onCompletion(Runnable action);

    /**
     * Returns this request without some header fields. Its body must not have been read.
     *
     * @param hidden predicate of the names of these fields, as sent
     */
    IncomingRequest without(Predicate<String> hidden);
}
