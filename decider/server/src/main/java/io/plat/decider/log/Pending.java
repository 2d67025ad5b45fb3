package io.plat.decider.log;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A decision that waits to be written.
 *
 * @param decided the decision
 * @param written completed with whether its line was written, or with false by who no longer waits for that; null where nobody waits
 */
record Pending(Decided decided, @Nullable CompletableFuture<Boolean> written) {
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
