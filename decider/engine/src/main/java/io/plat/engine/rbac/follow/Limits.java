package io.plat.engine.rbac.follow;

/**
 * Limits on a server's responses.
 *
 * @param chunk number of objects per chunk of a list
 * @param pageBytes maximum size of a chunk
 * @param listBytes maximum size of all chunks of a list
 * @param eventBytes maximum size of an event; Kubernetes' objects are smaller than 2 MiB
 * @param objects maximum number of objects of a type
 */
record Limits(int chunk, int pageBytes, long listBytes, int eventBytes, int objects) {
    static final Limits DEFAULT = new Limits(500, 64 << 20, 1L << 30, 4 << 20, 1_000_000);

    Limits {
        if (chunk < 1 || pageBytes < 1 || listBytes < 1 || eventBytes < 1 || objects < 1) {
            throw new IllegalArgumentException("not limits");
        }
    }

    /** The most chunks of a list: one that never ends must end. */
    int pages() {
        return objects / chunk + 1000;
    }
}
