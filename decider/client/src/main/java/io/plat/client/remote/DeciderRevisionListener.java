package io.plat.client.remote;

import java.util.Set;

/** Listener for revisions of the deciders behind one name. Called by one thread at a time; must return at once. */
public interface DeciderRevisionListener {
    /** A listener that does nothing. */
    DeciderRevisionListener NONE = new DeciderRevisionListener() {};

    /**
     * Handles new revisions of the deciders. Decisions of any other revision are outdated.
     *
     * @return whether there may be decisions of another revision
     */
    default boolean received(Set<String> revisions) {
        return false;
    }

    /** Handles the disconnection of all revision streams, until the next revision. */
    default void disconnected() {}

    /** Handles a change of policy at a decider without a revision stream: any decision may be outdated. */
    default void changed() {}
}
