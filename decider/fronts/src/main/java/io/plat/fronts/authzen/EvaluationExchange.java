package io.plat.fronts.authzen;

import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.ResponseHeaders;
import io.plat.fronts.authzen.Answers.Evaluated;
import io.plat.review.Attributes;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;

/**
 * Processing of a request for one or several evaluations, from body to response.
 *
 * @param many whether the body may have several evaluations
 */
record EvaluationExchange(Decisions decisions, Mapping mapping, boolean many, Intake.Exchange http)
        implements Intake.BodyHandler {
    /** Maximum size, in bytes, of a body whose expressions are evaluated on a shared thread. */
    private static final int MAPPED_AT_ONCE = 1 << 10;

    /** Maximum number of evaluations that are decided on a shared thread: each may have many groups. */
    private static final int EVALUATIONS_AT_ONCE = 64;

    @Override
    public void received(byte[] bytes, int count) {
        boolean mapped = mapping != Mapping.DEFAULT;
        boolean isLong = count > Intake.AT_ONCE || (mapped && (many || count > MAPPED_AT_ONCE));
        decisions.run(isLong, http, () -> read(bytes, count));
    }

    private void read(byte[] bytes, int count) throws StatusException {
        EvaluationReader.AuthZenRequest request =
                EvaluationReader.read(bytes, count, many ? EvaluationReader.EVALUATIONS : EvaluationReader.EVALUATION);
        if (request.evaluations().isEmpty()) {
            decide(request.evaluation(), count);
            return;
        }
        BatchEvaluation batch = new BatchEvaluation(decisions, mapping, request, http);
        boolean isLong = request.evaluations().size() > EVALUATIONS_AT_ONCE;
        decisions.run(isLong, http, () -> batch.decide(count));
    }

    private void decide(EvaluationRequest evaluation, int count) throws StatusException {
        EvaluationReader.require(evaluation, null);
        Attributes attributes;
        try {
            attributes = mapping.attributes(evaluation);
        } catch (StatusException unknown) {
            if (unknown.status().reason() != StatusReason.NOT_FOUND) {
                throw unknown;
            }
            // An unknown type is a denial.
            send(Evaluated.failed(unknown.status(), http.decisionId()), decisions.policy());
            return;
        }
        decisions.decide(http, count, attributes, this::decided);
    }

    private void decided(Decision decision, PolicySet policy) {
        boolean reasons = decisions.reasonPolicy().includesReasons(http.request());
        if (DecisionResponse.of(decision, reasons) instanceof DecisionResponse.Failed(Status status)) {
            http.response().getHeaders().put(ResponseHeaders.POLICY_REVISION, policy.revision());
            http.refuse(status);
        } else {
            send(Evaluated.of(decision, reasons, http.decisionId()), policy);
        }
    }

    private void send(Evaluated result, PolicySet policy) {
        Answers.send(result, policy.revision(), http);
    }
}
