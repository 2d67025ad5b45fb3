package io.plat.engine.union;

import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Undecided;
import io.plat.process.LogRateLimit;
import io.plat.process.Tasks;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of the members of a union. A member that throws has failed: bugs of a plug-in, or its missing classes, must not become a decision. A failure
 * is logged at most once a minute for each member, with its class and location only: a message could contain the request, or a secret. Thread-safe.
 */
final class MemberCalls {
    private static final Logger LOG = LoggerFactory.getLogger(UnionAuthorizer.class);

    private final LongSupplier nanoTime;
    private final Map<String, LogRateLimit> limits = new ConcurrentHashMap<>();

    /**
     * Creates calls with logging of failures.
     *
     * @param nanoTime a monotonic clock, in nanoseconds; limits how often a failing member is logged
     */
    MemberCalls(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns the result of a call, or that of a failure if the call throws. */
    <T extends @Nullable Object> T of(Member member, Function<Member, T> call, Function<Undecided, T> failure) {
        try {
            return call.apply(member);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            limits.computeIfAbsent(member.name(), name -> new LogRateLimit(nanoTime))
                    .unlessRecent(() -> LOG.error(
                            "an authorizer threw an exception: authorizer={} exception={} at={}",
                            member.name(),
                            e.getClass().getName(),
                            Tasks.throwLocation(e)));
            return failure.apply(
                    new Undecided(Cause.FAILED, "threw " + e.getClass().getSimpleName()));
        }
    }
}
