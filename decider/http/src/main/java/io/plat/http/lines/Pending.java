package io.plat.http.lines;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An event that waits to be written.
 *
 * @param event the event; null for the end of the log, behind which there is none
 * @param bytes about how many bytes it keeps in memory
 * @param written completed with whether its line was written, or with false by who no longer waits for that; null where nobody waits
 */
record Pending<T>(@Nullable T event, int bytes, @Nullable CompletableFuture<Boolean> written) {
    /** Whether a line is still wanted: nobody waits for one any more whose answer has been given without it. */
    boolean isWanted() {
        return written == null || !written.isDone();
    }

    void done(boolean success) {
        if (written != null) {
            written.complete(success);
        }
    }
}
