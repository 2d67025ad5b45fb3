package io.plat.http;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Generator of unique request ids: 64 random bits per process, and a counter. They are not secret. Thread-safe. */
public final class RequestIds {
    private static final HexFormat HEX = HexFormat.of();

    private final String prefix;
    private final AtomicLong next = new AtomicLong();

    public RequestIds() {
        this(new SecureRandom().nextLong());
    }

    RequestIds(long process) {
        prefix = HEX.toHexDigits(process);
    }

    /** Returns the next id: 32 hexadecimal digits. */
    public String next() {
        return prefix.concat(HEX.toHexDigits(next.getAndIncrement()));
    }
}
