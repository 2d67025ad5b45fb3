package io.plat.process;

import org.jspecify.annotations.Nullable;

/**
 * Wait of a request for another process, a plug-in or a disk. What a request holds while it computes, such as its turn on a processor, is left
 * for others meanwhile. All code that lets a request wait says so by {@code try (Waiting _ = Waiting.begin())}. Belongs to one thread.
 */
public final class Waiting implements AutoCloseable {
    private static final ScopedValue<Turn> TURN = ScopedValue.newInstance();

    private final @Nullable Turn left;

    private Waiting(@Nullable Turn left) {
        this.left = left;
    }

    /** Something that a request holds while it computes. */
    public interface Turn {
        /** Leaves it before a wait; returns false if there is nothing to leave. */
        boolean leave();

        /** Takes it again after the wait. */
        void resume();
    }

    /** Runs a request whose turn is left by all waits on this thread. */
    public static void inTurn(Turn turn, Runnable request) {
        ScopedValue.where(TURN, turn).run(request);
    }

    /** Begins a wait of the current thread; the turn is left until it is closed. Waits may be nested. */
    public static Waiting begin() {
        return new Waiting(TURN.isBound() && TURN.get().leave() ? TURN.get() : null);
    }

    /** Ends the wait; this may wait for the turn, so that no lock may be held. */
    @Override
    public void close() {
        if (left != null) {
            left.resume();
        }
    }
}
