package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.source.SourceReader;

/**
 * Limits on a server's responses.
 *
 * @param chunk number of objects per chunk of a list
 * @param pageBytes maximum size of a chunk
 * @param eventBytes maximum size of an event; Kubernetes' objects are smaller than 2 MiB
 * @param objects maximum number of objects of a type
 * @param memory maximum memory of the objects of all types, in bytes
 */
record Limits(int chunk, int pageBytes, int eventBytes, int objects, long memory) {
    private static final int MAX_EVENT_BYTES = 4 << 20;

    /** Pages of four types are received at the same time: together they take as much as one file. */
    static final Limits DEFAULT = new Limits(
            500,
            Math.clamp(Runtime.getRuntime().maxMemory() / 60, MAX_EVENT_BYTES, SourceReader.MAX_BYTES),
            MAX_EVENT_BYTES,
            1_000_000,
            RbacPolicy.MAX_BYTES);

    Limits {
        if (chunk < 1 || pageBytes < 1 || eventBytes < 1 || objects < 1 || memory < 1) {
            throw new IllegalArgumentException("not limits");
        }
    }

    /** Returns the failure of a server that has more than this. */
    SourceException exceeded() {
        return new SourceException(
                SourceException.Kind.MALFORMED,
                "there are more than " + objects + " objects of a type, or role objects that take more than "
                        + RbacPolicy.LIMIT);
    }

    /** Returns the maximum number of chunks of a list, which bounds an endless one. */
    int pages() {
        return objects / chunk + 1000;
    }
}
