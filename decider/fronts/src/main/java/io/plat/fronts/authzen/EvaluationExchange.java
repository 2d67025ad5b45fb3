package io.plat.fronts.authzen;

import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.AnswerHeaders;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.authzen.Answers.Evaluated;
import io.plat.review.Attributes;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Processing of a request for one or several evaluations, from body to response. */
final class EvaluationExchange implements Intake.BodyHandler, Decisions.Receiver {
    /** Maximum size, in bytes, of a body whose expressions are evaluated on a shared thread. */
    private static final int MAPPED_AT_ONCE = 1 << 10;

    /** Maximum number of evaluations that are decided on a shared thread: each may have many groups. */
    private static final int EVALUATIONS_AT_ONCE = 64;

    private static final int NOT_FOUND = 404;

    private final Decisions decisions;
    private final Mapping mapping;
    private final boolean many;
    private final Intake.Exchange http;
    private final AtomicBoolean failed = new AtomicBoolean();

    /** @param many whether the body may have several evaluations */
    EvaluationExchange(Decisions decisions, Mapping mapping, boolean many, Intake.Exchange http) {
        this.decisions = decisions;
        this.mapping = mapping;
        this.many = many;
        this.http = http;
    }

    @Override
    public void received(byte[] bytes, int count) {
        boolean mapped = mapping != DefaultMapping.INSTANCE;
        boolean isLong = count > Intake.AT_ONCE || (mapped && (many || count > MAPPED_AT_ONCE));
        decisions.run(isLong, () -> read(bytes, count), this);
    }

    private void read(byte[] bytes, int count) {
        try {
            EvaluationReader.AuthZenRequest request = EvaluationReader.read(
                    bytes, count, many ? EvaluationReader.EVALUATIONS : EvaluationReader.EVALUATION);
            if (request.evaluations().isEmpty()) {
                decide(request.evaluation(), count);
            } else {
                BatchEvaluation batch = new BatchEvaluation(
                        decisions, decisions.reasonPolicy().includesReasons(http.request()), mapping, request, http);
                boolean isLong = request.evaluations().size() > EVALUATIONS_AT_ONCE;
                decisions.run(isLong, () -> batch.decide(count, this), this);
            }
        } catch (StatusException e) {
            http.refuse(e.status());
        }
    }

    private void decide(EvaluationRequest evaluation, int count) throws StatusException {
        EvaluationReader.require(evaluation, null);
        String id = AnswerHeaders.decisionId(http.response());
        Attributes attributes;
        try {
            attributes = mapping.attributes(evaluation);
        } catch (StatusException unknown) {
            if (unknown.status().code() != NOT_FOUND) {
                throw unknown;
            }
            // An unknown type is a denial.
            Answers.send(
                    Evaluated.failed(unknown.status(), id), decisions.policy().revision(), http);
            return;
        }
        decisions.decide(new Decisions.Origin(http.request(), id, count), attributes, this);
    }

    @Override
    public void failed(RuntimeException bug) {
        // Several threads of a batch may fail.
        if (!failed.getAndSet(true)) {
            http.fail(bug);
        }
    }

    @Override
    public void decided(Decision decision, PolicySet policy) {
        boolean reasons = decisions.reasonPolicy().includesReasons(http.request());
        if (DecisionResponse.of(decision, reasons) instanceof DecisionResponse.Failed(Status status)) {
            http.response().getHeaders().put(AnswerHeaders.POLICY_REVISION, policy.revision());
            http.refuse(status);
        } else {
            Answers.send(
                    Evaluated.of(decision, reasons, AnswerHeaders.decisionId(http.response())),
                    policy.revision(),
                    http);
        }
    }
}
