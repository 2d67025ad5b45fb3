package io.plat.fronts.authzen;

import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.authzen.Answers.Evaluated;
import io.plat.fronts.authzen.EvaluationReader.Semantic;
import io.plat.fronts.authzen.EvaluationRequest.Entity;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Evaluations of one request, under one state of the policy. Those that do not block are decided in one pass on the calling thread. The others are
 * decided by a few threads, or sequentially if the first result of a kind ends the batch.
 */
final class BatchEvaluation {
    /** Maximum number of threads that wait for decisions of one batch. */
    private static final int MAX_THREADS = 16;

    /** Time after which no further blocking decision is started. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final Decisions decisions;
    private final boolean reasons;
    private final Mapping mapping;
    private final List<EvaluationRequest> evaluations;
    private final Semantic semantic;
    private final Intake.Exchange http;
    private final PolicySet policy;
    private final String id;
    private final long began = System.nanoTime();
    private final @Nullable Evaluated[] results;
    private final int inherited;
    private int bytes;
    private @Nullable Entity subject;
    private @Nullable UserInfo user;

    BatchEvaluation(
            Decisions decisions, Mapping mapping, EvaluationReader.AuthZenRequest request, Intake.Exchange http) {
        this.decisions = decisions;
        this.reasons = decisions.reasonPolicy().includesReasons(http.request());
        this.mapping = mapping;
        this.evaluations = request.evaluations();
        this.semantic = request.semantic();
        this.inherited = request.inherited();
        this.http = http;
        this.policy = decisions.policy();
        this.id = http.decisionId();
        this.results = new Evaluated[evaluations.size()];
    }

    /** An evaluation whose decision blocks. */
    private record Pending(int index, Attributes attributes) {}

    /**
     * Decides and answers, on this thread or another one.
     *
     * @param count the size of the request, in bytes
     */
    void decide(int count) {
        bytes = (count + inherited) / evaluations.size();
        List<Pending> pending = new ArrayList<>();
        for (int i = 0; i < results.length; i++) {
            Attributes attributes = attributes(i);
            Decision known = attributes == null ? null : decisions.decideAtOnce(origin(i), attributes, policy);
            if (known != null) {
                put(i, known);
            } else if (attributes != null) {
                pending.add(new Pending(i, attributes));
                if (semantic != Semantic.EXECUTE_ALL) {
                    decisions.onItsOwnThread(http, () -> decideSequentially(pending.getFirst()));
                    return;
                }
            }
            if (ends(i)) {
                break;
            }
        }
        if (pending.isEmpty()) {
            answer();
        } else {
            decideConcurrently(pending);
        }
    }

    /** Returns the attributes of an evaluation; null if it has none, after recording the failure as its result. */
    private @Nullable Attributes attributes(int index) {
        try {
            EvaluationRequest evaluation = evaluations.get(index);
            EvaluationReader.require(evaluation, null);
            return new Attributes(user(evaluation), mapping.access(evaluation));
        } catch (StatusException wrong) {
            results[index] = Evaluated.failed(wrong.status(), idOf(index));
            return null;
        }
    }

    /** Returns the user, which evaluations that inherit the subject share; expressions may have another one for each. */
    @SuppressWarnings("ReferenceEquality") // the same part of the request
    private UserInfo user(EvaluationRequest evaluation) throws StatusException {
        UserInfo known = user;
        if (known == null || subject != evaluation.subject() || mapping != Mapping.DEFAULT) {
            known = mapping.user(evaluation);
            subject = evaluation.subject();
            user = known;
        }
        return known;
    }

    private void decideConcurrently(List<Pending> pending) {
        int threads = Math.min(MAX_THREADS, pending.size());
        AtomicInteger next = new AtomicInteger();
        // A failed one never completes, so that only the failure is answered.
        AtomicInteger running = new AtomicInteger(threads);
        Intake.Step worker = () -> {
            for (int at = next.getAndIncrement(); at < pending.size(); at = next.getAndIncrement()) {
                decide(pending.get(at), policy);
            }
            if (running.decrementAndGet() == 0) {
                answer();
            }
        };
        for (int i = 0; i < threads; i++) {
            decisions.onItsOwnThread(http, worker);
        }
    }

    private void decideSequentially(Pending first) {
        decide(first, policy);
        for (int i = first.index + 1; i < results.length && !ends(i - 1); i++) {
            Attributes attributes = attributes(i);
            if (attributes != null) {
                decide(new Pending(i, attributes), policy);
            }
        }
        answer();
    }

    private void decide(Pending one, PolicySet current) {
        Decisions.Origin origin = origin(one.index);
        boolean overdue = System.nanoTime() - began > DEADLINE.toNanos();
        put(
                one.index,
                overdue
                        ? decisions.overdue(origin, one.attributes, current)
                        : decisions.decide(origin, one.attributes, current));
    }

    private void put(int index, Decision decision) {
        results[index] = Evaluated.of(decision, reasons, idOf(index));
    }

    private boolean ends(int index) {
        Evaluated result = results[index];
        return switch (semantic) {
            case EXECUTE_ALL -> false;
            case DENY_ON_FIRST_DENY -> result != null && !result.allowed();
            case PERMIT_ON_FIRST_PERMIT -> result != null && result.allowed();
        };
    }

    /** Repeats the decisions whose grants were revoked while others were made. */
    private void renew() {
        if (decisions.policy().revision().equals(policy.revision())) {
            return;
        }
        for (int i = 0; i < results.length; i++) {
            Evaluated result = results[i];
            @Nullable Attributes attributes = result != null && result.allowed() ? attributes(i) : null;
            if (attributes != null && decisions.isRevoked(attributes, policy, began)) {
                decide(new Pending(i, attributes), decisions.policy());
            }
        }
    }

    private Decisions.Origin origin(int index) {
        return new Decisions.Origin(http, idOf(index), bytes);
    }

    private String idOf(int index) {
        return id + "-" + index;
    }

    private void answer() {
        renew();
        List<Evaluated> finished = new ArrayList<>(results.length);
        for (Evaluated result : Arrays.asList(results)) {
            if (result == null) {
                break;
            }
            finished.add(result);
        }
        Answers.send(finished, policy.revision(), http);
    }
}
