package io.plat.cli.server;

/** Bounds of a list that a server sends in chunks: it is the server that decides how many there are. */
public final class Chunks {
    /** The objects that are requested in a chunk. */
    public static final int SIZE = 500;

    /** The most chunks that are read of a list. */
    public static final int MOST = 2000;

    private static final long MOST_BYTES = 256 << 20;

    private int read;
    private long bytes;

    /** Counts a chunk that does not end its list; returns whether the next one may be requested. */
    public boolean admitNext(ServerResponse chunk) {
        read++;
        bytes += chunk.body().length;
        return read < MOST && bytes < MOST_BYTES;
    }

    /** The problem of a list that is not admitted. */
    public static String problem() {
        return "the list has more than " + MOST + " chunks or " + (MOST_BYTES >> 20) + " MiB; the rest was not read";
    }
}
