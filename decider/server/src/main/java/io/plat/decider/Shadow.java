package io.plat.decider;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.decider.Shadow.Comparisons.Result;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.ShadowSlot.Shadowed;
import io.plat.engine.policy.PolicySet;
import io.plat.process.BackgroundLoop;
import io.plat.process.LogRateLimit;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.Quoted;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluation of a candidate policy in addition to the one in effect. Decisions are queued without waiting; one thread repeats them with the
 * candidate. Even a slow candidate only costs that thread and a queue that is bounded in decisions and bytes.
 */
final class Shadow implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Shadow.class);
    private static final Limits LIMITS = new Limits(1_000, 8L << 20);

    private final Supplier<PolicySet> candidate;
    private final Comparisons comparisons;
    private final @Nullable DecisionLog log;
    private final BlockingQueue<DecisionRecord> queue;
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytes;
    private final BackgroundLoop loop;
    private final LogRateLimit disagreements = new LogRateLimit(Duration.ofSeconds(1), System::nanoTime);

    /**
     * Limits of the queue.
     *
     * @param decisions number of decisions
     * @param bytes total size of their reviews
     */
    record Limits(int decisions, long bytes) {}

    /**
     * Creates a candidate that is not started.
     *
     * @param candidate supplies the current candidate
     * @param log the log for disagreements; null for the server's own log
     */
    public Shadow(Supplier<PolicySet> candidate, @Nullable DecisionLog log, MeterRegistry registry) {
        this(candidate, log, registry, LIMITS);
    }

    Shadow(Supplier<PolicySet> candidate, @Nullable DecisionLog log, MeterRegistry registry, Limits limits) {
        this.candidate = candidate;
        this.comparisons = new Comparisons(registry);
        this.log = log;
        this.queue = new ArrayBlockingQueue<>(limits.decisions());
        this.maxBytes = limits.bytes();
        this.loop = BackgroundLoop.platform("shadow", this::round);
    }

    /** Starts evaluating. Must be called once. */
    public void start() {
        loop.start();
    }

    /** Queues a decision for the candidate. Never blocks. */
    public void consider(DecisionRecord decided) {
        int size = decided.reviewBytes();
        if (bytes.addAndGet(size) > maxBytes || !queue.offer(decided)) {
            bytes.addAndGet(-size);
            comparisons.count(Result.DROPPED);
        }
    }

    private Duration round() throws InterruptedException {
        DecisionRecord decided = queue.take();
        try {
            compare(decided);
        } finally {
            bytes.addAndGet(-decided.reviewBytes());
        }
        return BackgroundLoop.NONE;
    }

    private void compare(DecisionRecord decided) {
        PolicySet policy = candidate.get();
        Decision decision = decide(policy, decided);
        Result result = Result.of(decided.decision(), decision);
        comparisons.count(result);
        if (result.isReported()) {
            report(decided, new Shadowed(decision, policy.revision()));
        }
    }

    private static Decision decide(PolicySet policy, DecisionRecord decided) {
        try {
            return policy.authorizer().authorize(decided.attributes());
        } catch (RuntimeException | LinkageError | StackOverflowError broken) {
            // A candidate that throws has failed; the next decision is another chance.
            return new Undecided(Cause.FAILED, "threw " + broken.getClass().getSimpleName());
        }
    }

    /** Reports a disagreement: in the decision log if there is one, else in the server's log, at most once a second. */
    private void report(DecisionRecord decided, Shadowed shadowed) {
        if (log == null) {
            warn(decided, shadowed);
        } else if (!decided.shadow().offer(shadowed)) {
            // The line of the decision has already been written: another one with the same id has the rest. The log
            // counts failed writes.
            boolean unused = log.lines().record(decided.with(shadowed));
        }
    }

    private void warn(DecisionRecord decided, Shadowed shadowed) {
        disagreements.unlessRecent(suppressed -> LOG.warn(
                "the candidate policy disagrees: request={} policy={} decision={} candidate={} candidate_decision={} suppressed={}",
                describe(decided.attributes()),
                decided.policyRevision(),
                outcome(decided.decision()),
                shadowed.policyRevision(),
                outcome(shadowed.decision()),
                suppressed));
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
            case Decision.Undecided undecided -> "cannot decide";
        };
        return decision.reason().isEmpty() ? word : word + " (" + Quoted.shortLine(decision.reason()) + ")";
    }

    /** Stops the candidate; queued decisions are dropped. */
    @Override
    public void close() {
        loop.close();
    }

    /** Metrics of comparisons: {@code authorization_shadow_decisions_total}, by result. */
    static final class Comparisons {
        /** Result of comparing two decisions. */
        enum Result {
            /** Both allow or both deny. */
            AGREED,
            /** Allowed, and denied by the candidate. */
            ALLOW_TO_DENY,
            /** Denied, and allowed by the candidate. */
            DENY_TO_ALLOW,
            /** One of them could not be made. */
            ERROR,
            /** Dropped, as the candidate's queue was full. */
            DROPPED;

            /** Returns whether the result is reported: the candidate decides differently, or fails where it should not. */
            boolean isReported() {
                return switch (this) {
                    case ALLOW_TO_DENY, DENY_TO_ALLOW, ERROR -> true;
                    case AGREED, DROPPED -> false;
                };
            }

            static Result of(Decision real, Decision candidate) {
                if (real instanceof Decision.Undecided || candidate instanceof Decision.Undecided) {
                    return ERROR;
                }
                boolean before = real instanceof Decision.Allow;
                boolean after = candidate instanceof Decision.Allow;
                if (before == after) {
                    return AGREED;
                }
                return before ? ALLOW_TO_DENY : DENY_TO_ALLOW;
            }
        }

        private final Map<Result, Counter> counters = new EnumMap<>(Result.class);

        Comparisons(MeterRegistry registry) {
            for (Result result : Result.values()) {
                Counter counter = Counter.builder("authorization.shadow.decisions")
                        .description("Comparisons of decisions with those of the candidate policy, by result.")
                        .tag("result", result.name().toLowerCase(Locale.ROOT))
                        .register(registry);
                counters.put(result, counter);
            }
        }

        void count(Result result) {
            Objects.requireNonNull(counters.get(result)).increment();
        }
    }
}
