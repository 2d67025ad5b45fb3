package io.plat.engine.union;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that a member threw, at most once a minute for each member. Only the kind of failure and where it happened are written: a
 * message could hold what was asked, or a secret.
 */
final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(UnionAuthorizer.class);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;
    private final Map<String, AtomicLong> quietUntil = new ConcurrentHashMap<>();

    FailureLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void log(String member, Throwable failure) {
        long now = nanoTime.getAsLong();
        AtomicLong quiet = quietUntil.computeIfAbsent(member, name -> new AtomicLong(now));
        long until = quiet.get();
        if (now - until < 0 || !quiet.compareAndSet(until, now + QUIET_NANOS)) {
            return;
        }
        StackTraceElement[] trace = failure.getStackTrace();
        LOG.error(
                "authorizer {} threw {} at {}",
                member,
                failure.getClass().getName(),
                trace.length == 0 ? "an unknown place" : trace[0]);
    }
}
