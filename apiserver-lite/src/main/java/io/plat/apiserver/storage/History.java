package io.plat.apiserver.storage;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The recent changes, by revision. Revisions follow each other without a gap, so that a change's place is its revision.
 *
 * <p>One thread appends and drops; any number read, without a lock. A place may be emptied or taken by a later change under a
 * reader's eyes: the reader sees that by the revision, and the change it asked for is then no longer kept. Growing makes a new
 * array; readers of an older state keep theirs.
 */
final class History {
    private static final int SMALLEST = 64;

    private AtomicReferenceArray<@Nullable Change> ring = new AtomicReferenceArray<>(SMALLEST);
    private long oldest;
    private long newest;
    private long weight;

    /** Nothing, after which the change of the revision {@code floor + 1} comes. */
    History(long floor) {
        this.oldest = floor + 1;
        this.newest = floor;
    }

    /** What readers of the present state look into. */
    View view() {
        return new View(ring);
    }

    void append(Change change) {
        if (change.revision() != newest + 1) {
            throw new IllegalStateException("change " + change.revision() + " after " + newest);
        }
        if (newest - oldest + 1 == ring.length()) {
            grow();
        }
        newest = change.revision();
        weight += change.weight();
        ring.set(place(ring, newest), change);
    }

    private void grow() {
        var larger = new AtomicReferenceArray<@Nullable Change>(ring.length() * 2);
        for (long revision = oldest; revision <= newest; revision++) {
            larger.set(place(larger, revision), ring.get(place(ring, revision)));
        }
        ring = larger;
    }

    /** The oldest change that is kept; null if there is none. */
    @Nullable
    Change first() {
        return oldest > newest ? null : ring.get(place(ring, oldest));
    }

    /** Forgets the oldest change. There is one. */
    void dropFirst() {
        Change dropped = ring.getAndSet(place(ring, oldest), null);
        if (dropped == null) {
            throw new IllegalStateException("no change to drop");
        }
        weight -= dropped.weight();
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
        return oldest - 1;
    }

    private static int place(AtomicReferenceArray<@Nullable Change> ring, long revision) {
        return (int) (revision & (ring.length() - 1));
    }

    /** The changes as readers see them. */
    static final class View {
        private final AtomicReferenceArray<@Nullable Change> ring;

        private View(AtomicReferenceArray<@Nullable Change> ring) {
            this.ring = ring;
        }

        /** The event of a revision that has been published; null if it is no longer kept. */
        @Nullable
        Event at(long revision) {
            Change change = ring.get(place(ring, revision));
            return change == null || change.revision() != revision ? null : change.event();
        }
    }
}
