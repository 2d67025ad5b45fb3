package io.plat.engine.rbac.follow;

/**
 * How much of a server's answers is taken.
 *
 * @param chunk how many objects a chunk of a list is asked for
 * @param pageBytes the most bytes of a chunk
 * @param listBytes the most bytes of all chunks of a list
 * @param eventBytes the most bytes of an event; objects of the field are smaller than 2 MiB
 * @param objects the most objects of a type
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
