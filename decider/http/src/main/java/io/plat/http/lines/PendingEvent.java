package io.plat.http.lines;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An event that waits to be written.
 *
 * @param event the event; null for the end of the log, after which there is none
 * @param bytes its approximate memory
 * @param written completed with whether its line was written, or with false by a caller that no longer waits; null if no caller waits
 */
record PendingEvent<T>(
        @Nullable T event, int bytes, @Nullable CompletableFuture<Boolean> written) {
    /** Returns whether a line is still needed: not if a caller has given its response without it. */
    boolean isWanted() {
        return written == null || !written.isDone();
    }

    void done(boolean success) {
        if (written != null) {
            written.complete(success);
        }
    }
}
