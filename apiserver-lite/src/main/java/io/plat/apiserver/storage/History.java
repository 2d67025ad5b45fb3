package io.plat.apiserver.storage;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The recent changes, each at its place: places follow each other without a gap, revisions need not. A backend may give revisions to
 * other things, and several changes one revision, where somebody else's transaction made them.
 *
 * <p>One thread appends and drops; any number read, without a lock. A place in the ring may be emptied or taken by a later change under a
 * reader's eyes: the reader sees that by the number kept beside it, and the change it asked for is then no longer kept. Growing
 * makes a new array; readers of an older state keep theirs.
 */
final class History {
    private static final int SMALLEST = 64;

    /**
     * A change at its place.
     *
     * @param place its number, which no other change has
     * @param event what changed
     * @param time when, in milliseconds since the epoch
     */
    record Kept(long place, Event event, long time) {
        long revision() {
            return event.revision();
        }
    }

    private AtomicReferenceArray<@Nullable Kept> ring = new AtomicReferenceArray<>(SMALLEST);
    private long oldest;
    private long newest;
    private long newestRevision;
    /** Raised before a change is dropped, so that whoever does not find one knows. */
    private volatile long floor;

    private long weight;

    /**
     * Nothing, after which changes of larger revisions than {@code floor} come.
     *
     * @param last the last place that was taken before, so that no place ever means two changes; 0 if there was none
     */
    History(long floor, long last) {
        this.floor = floor;
        this.newestRevision = floor;
        this.oldest = last + 1;
        this.newest = last;
    }

    /** What readers of the present state look into. */
    View view() {
        return new View(this, ring, oldest, newest);
    }

    Kept append(Change change) {
        if (change.revision() < newestRevision || change.revision() <= floor) {
            throw new IllegalStateException("change " + change.revision() + " after " + newestRevision);
        }
        if (newest - oldest + 1 == ring.length()) {
            grow();
        }
        newest++;
        newestRevision = change.revision();
        weight += change.weight();
        Kept kept = new Kept(newest, change.event(), change.time());
        ring.set(slot(ring, newest), kept);
        return kept;
    }

    private void grow() {
        var larger = new AtomicReferenceArray<@Nullable Kept>(ring.length() * 2);
        for (long place = oldest; place <= newest; place++) {
            larger.set(slot(larger, place), ring.get(slot(ring, place)));
        }
        ring = larger;
    }

    /** The oldest change that is kept; null if there is none. */
    @Nullable
    Kept first() {
        return oldest > newest ? null : ring.get(slot(ring, oldest));
    }

    /** Forgets the oldest change. There is one. */
    void dropFirst() {
        Kept dropped = first();
        if (dropped == null) {
            throw new IllegalStateException("no change to drop");
        }
        floor = dropped.revision();
        ring.set(slot(ring, oldest), null);
        weight -= Change.weight(dropped.event());
        oldest++;
    }

    /** How many changes are kept. */
    long length() {
        return newest - oldest + 1;
    }

    /** About how many bytes of memory they keep. */
    long weight() {
        return weight;
    }

    /** The revision after which every change is kept. */
    long floor() {
        return floor;
    }

    private static int slot(AtomicReferenceArray<@Nullable Kept> ring, long place) {
        return (int) (place & (ring.length() - 1));
    }

    /** The changes as readers of one state see them. */
    static final class View {
        /** Changes that were asked for are no longer kept. */
        static final long GONE = 0;

        private final History history;
        private final AtomicReferenceArray<@Nullable Kept> ring;
        private final long oldest;
        private final long newest;

        private View(History history, AtomicReferenceArray<@Nullable Kept> ring, long oldest, long newest) {
            this.history = history;
            this.ring = ring;
            this.oldest = oldest;
            this.newest = newest;
        }

        /** The place of the last change of this state. */
        long newest() {
            return newest;
        }

        /** The event at a place of this state; null if it is no longer kept. */
        @Nullable
        Event at(long place) {
            Kept kept = ring.get(slot(ring, place));
            return kept == null || kept.place() != place ? null : kept.event();
        }

        /**
         * The place of the first change after a revision; one behind the newest if there is none, {@link #GONE} if it is no longer
         * kept.
         */
        long firstAfter(long revision) {
            long low = oldest;
            long high = newest + 1;
            while (low < high) {
                long middle = (low + high) >>> 1;
                Event event = at(middle);
                // What was dropped meanwhile stands before everything that is kept.
                if (event == null || event.revision() <= revision) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return history.floor() > revision ? GONE : low;
        }
    }
}
