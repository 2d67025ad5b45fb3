package io.plat.apiserver.storage;

/**
 * An event and when it was made.
 *
 * @param event what changed
 * @param time milliseconds since the epoch; never less than that of the change before
 */
record Change(Event event, long time) {
    /** What an event costs beside its value: objects, references, the copied path of the tree. */
    private static final long OVERHEAD = 1024;

    long revision() {
        return event.revision();
    }

    /** About how many bytes of memory it keeps. */
    long weight() {
        return weight(event);
    }

    /** About how many bytes of memory an event keeps. */
    static long weight(Event event) {
        return event.entry().value().length + OVERHEAD;
    }
}
