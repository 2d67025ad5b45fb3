package io.plat.tls.x509;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test sets. */
final class MutableClock implements InstantSource {
    private volatile Instant now;

    MutableClock(Instant now) {
        this.now = now;
    }

    void advance(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
