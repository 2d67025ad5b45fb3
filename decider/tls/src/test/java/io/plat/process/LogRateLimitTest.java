package io.plat.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogRateLimitTest {
    @Test
    void logsAtOnceAndThenOnceAMinute() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
        AtomicInteger lines = new AtomicInteger();
        LogRateLimit quiet = new LogRateLimit(now::get);
        quiet.unlessRecent(lines::incrementAndGet);
        quiet.unlessRecent(lines::incrementAndGet);
        assertThat(lines).hasValue(1);
        now.addAndGet(Duration.ofSeconds(59).toNanos());
        quiet.unlessRecent(lines::incrementAndGet);
        assertThat(lines).hasValue(1);
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        quiet.unlessRecent(lines::incrementAndGet);
        assertThat(lines).hasValue(2);
    }
}
