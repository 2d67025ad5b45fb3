package io.plat.apiserver.storage;

import java.util.List;

/**
 * A cursor over the changes of a range, from one revision on. It keeps no queue: a reader that falls behind costs nothing and
 * gets {@link Batch.Gone} once the history it still needs is compacted.
 *
 * <p>Polls of one watch must not overlap; different watches are independent.
 */
public interface Watch extends AutoCloseable {
    /**
     * The next changes in order, never one twice, never one left out. Does not wait. After an empty batch the signal given to
     * {@link ObjectStore#watch} is called once more changes of the range are there.
     *
     * @param limit at most so many, at least 1
     */
    Batch poll(int limit);

    /** Ends the watch; its signal may still be called once. */
    @Override
    void close();

    /** Result of a poll. */
    sealed interface Batch {
        /**
         * Changes, or none at the moment.
         *
         * @param events the changes, oldest first
         * @param position the revision up to which this watch has now delivered everything: a watch may be resumed from here
         */
        record Events(List<Event> events, long position) implements Batch {
            public Events {
                events = List.copyOf(events);
            }
        }

        /**
         * Changes that this watch has not delivered are no longer kept. It ends here.
         *
         * @param oldest the oldest revision that a watch can start from
         */
        record Gone(long oldest) implements Batch {}
    }
}
