package io.plat.fronts;

import io.plat.engine.Decision;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.ShadowSlot;
import io.plat.engine.policy.PolicySet;
import io.plat.review.Attributes;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decision service of all protocols. Each decision is counted, logged, streamed and compared with the candidate policy before it is sent.
 * Thread-safe.
 *
 * @param policies supplies the policy in effect
 * @param waiting executor of tasks that block
 * @param reasonPolicy which clients receive reasons
 */
public record Decisions(
        Supplier<PolicySet> policies, Executor waiting, Recorder recorder, ClientIdentity.ReasonPolicy reasonPolicy) {
    /** Age of a decision, in nanoseconds, from which an allow must not depend on a grant that was revoked meanwhile. */
    private static final long RENEWED_AFTER = 500_000_000;

    private static final Undecided UNRECORDED =
            new Undecided(Cause.FAILED, "the decision could not be written to the decision log");

    private static final Undecided OVERDUE =
            new Undecided(Cause.FAILED, "the time limit for all decisions of the request was exceeded");

    /** Recorder of decisions. Thread-safe. */
    public interface Recorder {
        /** Returns whether {@link #record} may block. */
        boolean blocks();

        /** Returns whether decisions currently have to be recorded. */
        boolean isActive();

        /** Records a decision; returns false if the record could not be written and the decision must not be sent. */
        boolean record(DecisionRecord decided);

        /** Returns a slot for the decision of a candidate policy. */
        ShadowSlot slot();

        void count(Decision decision);
    }

    /**
     * The request that needs a decision.
     *
     * @param id the id of the decision
     * @param bytes the size of the request
     */
    public record Origin(Intake.Exchange http, String id, int bytes) {}

    /** A decision and the policy that made it. */
    private record Decided(Decision decision, PolicySet policy) {}

    /** Returns the policy in effect. */
    public PolicySet policy() {
        return policies.get();
    }

    /**
     * Decides the request of an exchange: at once if that does not block, else on another thread.
     *
     * @param bytes the size of the request
     * @param receiver handles the decision and its policy
     */
    public void decide(
            Intake.Exchange http, int bytes, Attributes attributes, BiConsumer<Decision, PolicySet> receiver) {
        Origin origin = new Origin(http, http.decisionId(), bytes);
        PolicySet current = policies.get();
        Decision known = decideAtOnce(origin, attributes, current);
        if (known != null) {
            receiver.accept(known, current);
            return;
        }
        onItsOwnThread(http, () -> {
            Decided decided = decided(origin, attributes, policies.get());
            receiver.accept(decided.decision(), decided.policy());
        });
    }

    /** Decides if that does not block, else returns null. */
    public @Nullable Decision decideAtOnce(Origin origin, Attributes attributes, PolicySet current) {
        if (recorder.blocks()) {
            return null;
        }
        long began = System.nanoTime();
        Decision known = current.authorizer().decideFromMemory(attributes);
        return known == null ? null : recorded(origin, attributes, known, current, began);
    }

    /** Records a decision that was not made for lack of time. */
    public Decision overdue(Origin origin, Attributes attributes, PolicySet current) {
        return recorded(origin, attributes, OVERDUE, current, System.nanoTime());
    }

    /** Decides on the calling thread, which may block. */
    public Decision decide(Origin origin, Attributes attributes, PolicySet current) {
        return decided(origin, attributes, current).decision();
    }

    private Decided decided(Origin origin, Attributes attributes, PolicySet current) {
        long began = System.nanoTime();
        Decision decision = recorded(origin, attributes, current.authorizer().authorize(attributes), current, began);
        return decision instanceof Decision.Allow && isRevoked(attributes, current, began)
                ? decided(origin, attributes, policies.get())
                : new Decided(decision, current);
    }

    /**
     * Returns whether a decision has to be repeated: it took long, for a remote decider or the log, and the policy in memory allowed the request when it
     * began, but no longer does.
     *
     * @param began start of the decision, by {@link System#nanoTime}
     */
    public boolean isRevoked(Attributes attributes, PolicySet policy, long began) {
        return System.nanoTime() - began > RENEWED_AFTER
                && policy.authorizer().allowsFromMemory(attributes)
                && !policies.get().authorizer().allowsFromMemory(attributes);
    }

    /**
     * Runs a step on the calling thread, or on another one if it is long.
     *
     * @param isLong whether it would delay others for too long
     */
    public void run(boolean isLong, Intake.Exchange http, Intake.Step step) {
        if (isLong) {
            onItsOwnThread(http, step);
        } else {
            http.run(step);
        }
    }

    /** Runs a step that blocks or computes for long. */
    public void onItsOwnThread(Intake.Exchange http, Intake.Step step) {
        waiting.execute(() -> http.runDetached(step));
    }

    /** @param began start of the decision, by {@link System#nanoTime} */
    private Decision recorded(Origin origin, Attributes attributes, Decision decision, PolicySet policy, long began) {
        Decision answered = decision;
        if (recorder.isActive()) {
            long nanos = System.nanoTime() - began;
            if (!recorder.record(new DecisionRecord(
                    origin.id(),
                    Instant.now(),
                    ClientIdentity.of(origin.http().request()).name(),
                    attributes,
                    decision,
                    policy.revision(),
                    nanos,
                    origin.bytes(),
                    recorder.slot()))) {
                answered = UNRECORDED;
            }
        }
        recorder.count(answered);
        return answered;
    }
}
