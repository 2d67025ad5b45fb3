package io.plat.http;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that no two requests share: 64 random bits that name the process, and a counter. They are unique and not secret. Safe
 * for any number of threads.
 */
public final class RequestIds {
    private static final HexFormat HEX = HexFormat.of();

    private final String prefix;
    private final AtomicLong next = new AtomicLong();

    /** Ids of this process. */
    public RequestIds() {
        this(new SecureRandom().nextLong());
    }

    RequestIds(long process) {
        prefix = HEX.toHexDigits(process);
    }

    /** The next id: 32 hexadecimal digits. */
    public String next() {
        return prefix.concat(HEX.toHexDigits(next.getAndIncrement()));
    }
}
