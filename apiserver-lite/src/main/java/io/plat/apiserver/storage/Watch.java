package io.plat.apiserver.storage;

import java.util.List;

/**
 * Cursor over the changes of a range, starting at a revision. It has no queue: a reader that falls behind costs nothing and receives
 * {@link Batch.Gone} once the history it still needs is compacted.
 *
 * <p>Polls of one watch must not overlap; different watches are independent.
 */
public interface Watch extends AutoCloseable {
    /**
     * Returns the next changes in order, each exactly once. Does not block. After an empty batch the signal given to {@link
     * ObjectStore#watch} is called once there are more changes of the range.
     *
     * @param limit maximum number of changes, at least 1
     */
    Batch poll(int limit);

    /** Ends the watch; its signal may still be called once. */
    @Override
    void close();

    sealed interface Batch {
        /**
         * Changes; empty if there are none at present.
         *
         * @param events changes, oldest first
         * @param position revision up to which everything was delivered, from which a watch can resume
         */
        record Events(List<Event> events, long position) implements Batch {
            public Events {
                events = List.copyOf(events);
            }
        }

        /**
         * End of the watch: undelivered changes were compacted.
         *
         * @param oldest oldest revision from which a watch can start
         */
        record Gone(long oldest) implements Batch {}
    }
}
