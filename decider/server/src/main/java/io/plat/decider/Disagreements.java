package io.plat.decider;

import io.plat.engine.Decision;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.ShadowSlot.Shadowed;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.Quoted;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reporting of disagreements with a candidate: in the decision log if there is one, else in the server's log, at most once a second. Not
 * thread-safe.
 */
final class Disagreements {
    private static final Logger LOG = LoggerFactory.getLogger(Disagreements.class);
    private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();

    private final @Nullable DecisionLog log;
    private final LongSupplier nanoTime;
    private long quietUntil;
    private long suppressed;

    /**
     * @param log the decision log, or null
     * @param nanoTime a monotonic clock, in nanoseconds
     */
    Disagreements(@Nullable DecisionLog log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
        this.quietUntil = nanoTime.getAsLong();
    }

    void report(DecisionRecord decided, Shadowed shadowed) {
        if (log == null) {
            warn(decided, shadowed);
        } else if (!decided.shadow().offer(shadowed)) {
            // The line of the decision has already been written: another one with the same id has the rest. The log
            // counts failed writes.
            boolean unused = log.lines().record(decided.with(shadowed));
        }
    }

    private void warn(DecisionRecord decided, Shadowed shadowed) {
        long now = nanoTime.getAsLong();
        if (now - quietUntil < 0) {
            suppressed++;
            return;
        }
        quietUntil = now + QUIET_NANOS;
        LOG.warn(
                "the candidate policy disagrees: request={} policy={} decision={} candidate={} candidate_decision={} suppressed={}",
                describe(decided.attributes()),
                decided.policyRevision(),
                outcome(decided.decision()),
                shadowed.policyRevision(),
                outcome(shadowed.decision()),
                suppressed);
        suppressed = 0;
    }

    private static String describe(Attributes request) {
        return Quoted.of(request.user().name()) + " "
                + switch (request.access()) {
                    case NonResourceAttributes path -> Quoted.of(path.verb()) + " " + Quoted.of(path.path());
                    case ResourceAttributes resource ->
                        Quoted.of(resource.verb()) + " " + Quoted.of(resource.resource()) + " in "
                                + Quoted.of(resource.namespace());
                };
    }

    private static String outcome(Decision decision) {
        String word = switch (decision) {
            case Decision.Allow allow -> "allows";
            case Decision.Deny deny -> "denies";
            case Decision.NoOpinion none -> "denies";
            case Decision.Undecided undecided -> "can't decide";
        };
        return decision.reason().isEmpty() ? word : word + " (" + Quoted.shortLine(decision.reason()) + ")";
    }
}
