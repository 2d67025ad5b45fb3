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
import java.util.function.Supplier;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Decides for every protocol, and accounts for each decision: it is counted, logged, streamed and compared with the candidate policy before anybody
 * learns it. Safe for any number of threads.
 */
public final class Decisions {
    private static final Undecided UNACCOUNTED =
            new Undecided(Cause.FAILED, "the decision could not be written to the decision log");

    private static final Undecided OVERDUE =
            new Undecided(Cause.FAILED, "the time for all decisions of the request was over");

    private final Supplier<PolicySet> policy;
    private final Executor waiting;
    private final Accounts accounts;

    /** Recorders of decisions. Safe for any number of threads. */
    public interface Accounts {
        /** Returns whether {@link #record} may block. */
        boolean blocks();

        /** Returns whether decisions have to be recorded now. */
        boolean areOpen();

        /** Records a decision; returns false if it must not be answered, as the record could not be written. */
        boolean record(DecisionRecord decided);

        /** Returns the place for the decision of a candidate policy. */
        ShadowSlot slot();

        /** Counts a decision that is answered. */
        void count(Decision decision);
    }

    /**
     * The request that asks.
     *
     * @param request identifies the client
     * @param id the id of the decision
     * @param bytes the size of the question
     */
    public record Origin(Request request, String id, int bytes) {}

    /** Takes a decision, on the thread that asked or on another. */
    public interface Receiver {
        /** Takes a decision and the policy by which it was made. */
        void decided(Decision decision, PolicySet policy);

        /** Answers after an unexpected exception, for a thread that has no caller that could. */
        void failed(RuntimeException bug);
    }

    /**
     * Creates a service.
     *
     * @param policy supplies the policy in effect
     * @param waiting runs what blocks
     */
    public Decisions(Supplier<PolicySet> policy, Executor waiting, Accounts accounts) {
        this.policy = policy;
        this.waiting = waiting;
        this.accounts = accounts;
    }

    /** Returns the policy in effect. */
    public PolicySet policy() {
        return policy.get();
    }

    /** Decides at once if that needs neither input nor output, else on a thread of its own. */
    public void decide(Origin origin, Attributes asked, Receiver receiver) {
        PolicySet current = policy.get();
        Decision known = decideAtOnce(origin, asked, current);
        if (known != null) {
            receiver.decided(known, current);
            return;
        }
        onItsOwnThread(() -> receiver.decided(decide(origin, asked, current), current), receiver);
    }

    /** Decides if that needs neither input nor output, else returns null. */
    public @Nullable Decision decideAtOnce(Origin origin, Attributes asked, PolicySet current) {
        if (accounts.blocks()) {
            return null;
        }
        long began = System.nanoTime();
        Decision known = current.authorizer().decideFromMemory(asked);
        return known == null ? null : account(origin, asked, known, current, began);
    }

    /** Accounts for a decision that was not made, as the time for it was over. */
    public Decision overdue(Origin origin, Attributes asked, PolicySet current) {
        return account(origin, asked, OVERDUE, current, System.nanoTime());
    }

    /** Decides on the calling thread, which may have to wait. */
    public Decision decide(Origin origin, Attributes asked, PolicySet current) {
        long began = System.nanoTime();
        return account(origin, asked, current.authorizer().authorize(asked), current, began);
    }

    /**
     * Runs a step on the calling thread, or on a thread of its own.
     *
     * @param isLong whether others would wait for it for too long
     */
    public void run(boolean isLong, Runnable step, Receiver receiver) {
        if (isLong) {
            onItsOwnThread(step, receiver);
        } else {
            step.run();
        }
    }

    /** Runs a step that waits or computes for long. */
    public void onItsOwnThread(Runnable step, Receiver receiver) {
        waiting.execute(() -> {
            try {
                step.run();
            } catch (RuntimeException bug) {
                receiver.failed(bug);
            }
        });
    }

    /** @param began when it began to be decided, by {@link System#nanoTime} */
    private Decision account(Origin origin, Attributes asked, Decision decision, PolicySet policy, long began) {
        Decision answered = decision;
        if (accounts.areOpen()) {
            long nanos = System.nanoTime() - began;
            if (!accounts.record(new DecisionRecord(
                    origin.id(),
                    Instant.now(),
                    ClientIdentity.of(origin.request()).name(),
                    asked,
                    decision,
                    policy.revision(),
                    nanos,
                    origin.bytes(),
                    accounts.slot()))) {
                answered = UNACCOUNTED;
            }
        }
        accounts.count(answered);
        return answered;
    }
}
