package io.plat.apiserver.metadata;

import io.plat.apiserver.timestamp.Timestamps;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Generator of identities of new objects: uids, name suffixes and timestamps. */
public record ObjectIdentity(InstantSource clock, RandomGenerator random) {
    /** No vowels and no look-alikes, so that names never form words. */
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX = 5;
    private static final int MAX_BASE = 63 - SUFFIX;

    /** Returns a uid: a random UUID (RFC 9562, version 4). */
    public String uid() {
        long high = (random.nextLong() & ~0xf000L) | 0x4000L;
        long low = (random.nextLong() & ~(3L << 62)) | (2L << 62);
        return new UUID(high, low).toString();
    }

    /** Returns a generated name with a prefix, which is truncated if too long. */
    public String name(String base) {
        var name = new StringBuilder(base.length() > MAX_BASE ? base.substring(0, MAX_BASE) : base);
        for (int i = 0; i < SUFFIX; i++) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return name.toString();
    }

    /** Returns the current time to the second, as in metadata. */
    public String now() {
        return Timestamps.SECONDS.format(clock.instant());
    }
}
