package io.plat.apiserver.options;

import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.type.Refusals;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Objects;

/**
 * What a watch follows, and from where. Strings are as the query has them, {@code ""} where it has not.
 *
 * @param labelSelector only objects with these labels
 * @param fieldSelector only objects with these fields
 * @param resourceVersion changes after this version; {@code ""} and {@code "0"} begin with the objects that are there
 * @param resourceVersionMatch {@code NotOlderThan} where initial events are asked for by name, else {@code ""}
 * @param initialEvents whether the client asks to be told first of what is there
 * @param bookmarks whether the client wants to be told from time to time how far the watch has come
 */
public record WatchOptions(
        String labelSelector,
        String fieldSelector,
        String resourceVersion,
        String resourceVersionMatch,
        InitialEvents initialEvents,
        boolean bookmarks) {
    private static final String NOT_OLDER_THAN = "NotOlderThan";
    private static final String MATCH = "resourceVersionMatch";

    /** Everything, beginning with what is there. */
    public static final WatchOptions DEFAULT = new WatchOptions("", "", "", "", InitialEvents.UNSAID, false);

    /** What {@code sendInitialEvents} says. */
    public enum InitialEvents {
        WANTED,
        UNWANTED,
        UNSAID
    }

    public WatchOptions {
        Objects.requireNonNull(labelSelector);
        Objects.requireNonNull(fieldSelector);
        Objects.requireNonNull(resourceVersion);
        Objects.requireNonNull(resourceVersionMatch);
        Objects.requireNonNull(initialEvents);
    }

    /** Whether any version will do to begin with, so that there is nothing to go on from. */
    public boolean fromAnywhere() {
        return resourceVersion.isEmpty() || resourceVersion.equals("0");
    }

    /** Whether the watch begins with the objects that are there. */
    public boolean beginsWithObjects() {
        return initialEvents == InitialEvents.WANTED || (initialEvents == InitialEvents.UNSAID && fromAnywhere());
    }

    /**
     * Goes on where the options fit each other.
     *
     * @throws StatusException 422 with every cause, as the field words them
     */
    public void check() throws StatusException {
        var causes = new Causes();
        boolean match = !resourceVersionMatch.isEmpty();
        boolean notOlder = resourceVersionMatch.equals(NOT_OLDER_THAN);
        if (initialEvents != InitialEvents.UNSAID && !notOlder) {
            causes.forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to " + NOT_OLDER_THAN);
        }
        if (match && initialEvents == InitialEvents.UNSAID) {
            causes.forbidden(MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
        if (match && !notOlder) {
            causes.notSupported(MATCH, resourceVersionMatch, List.of(NOT_OLDER_THAN));
        }
        if (!causes.isEmpty()) {
            throw Refusals.invalidOptions("ListOptions", causes.list());
        }
    }
}
