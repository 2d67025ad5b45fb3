package io.plat.apiserver.filter;

import io.plat.apiserver.authentication.Credentials;
import io.plat.review.status.StatusException;
import org.jspecify.annotations.Nullable;

/** A request as the connection delivers it. */
public interface Incoming extends Credentials {
    /** The HTTP method. */
    String method();

    /** The path as sent, still encoded. */
    String rawPath();

    /** The query as sent, without its question mark; null where there is none. */
    @Nullable
    String rawQuery();

    /** All values of a header field as one, separated by commas (RFC 9110, 5.3); {@code ""} where it is absent. */
    String header(String name);

    /**
     * The whole body; waits for it, so that only a thread that may wait calls it.
     *
     * @param limit the largest body, in bytes
     * @throws StatusException 413 for a larger one, 400 for one that breaks off
     */
    byte[] body(int limit) throws StatusException;

    /** The address of who is connected, {@code ""} where it has none. */
    String peer();

    /** For how long the request has been here, in nanoseconds. */
    long ageNanos();

    /** Has something done once the request is answered, or has failed. */
    void onCompletion(Runnable action);
}
