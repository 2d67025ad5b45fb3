package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.Denials;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedReview;
import io.plat.engine.explain.Explainer;
import io.plat.http.InFlightLimit;
import io.plat.process.Tasks;
import io.plat.review.AccessReview;
import io.plat.review.codec.Expectation;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * {@code accessexplanations} and {@code subjectlistings} (contract, "Explaining"). They look through the whole policy, so that few
 * are answered at a time, each on a thread of its own; the others are answered 429.
 */
final class ExplanationEndpoint {
    /** Questions at a time; each may keep a processor busy. */
    static final int AT_A_TIME = 4;

    private final Explainer explainer;
    private final Bodies bodies;
    private final ReviewCodec questions;
    private final InFlightLimit places = new InFlightLimit(AT_A_TIME);

    ExplanationEndpoint(Authorizer authorizer, Bodies bodies) {
        this.explainer = Explainer.of("the authorizer", authorizer);
        this.bodies = bodies;
        this.questions = new ReviewCodec(bodies.limit());
    }

    Answer answer(Call call, Expectation expected) throws StatusException {
        TypeMeta type = ReviewEndpoint.typeOf(expected);
        DocumentAnswer answer = DocumentAnswer.to(call, type);
        AccessReview asked = questions.decode(bodies.json(call, type), expected);
        if (!places.tryEnter()) {
            throw new StatusException(InFlightLimit.REFUSED);
        }
        try {
            return answer.of(201, onItsOwnThread(call, asked));
        } finally {
            places.leave();
        }
    }

    /** A platform thread: one that computes would keep the carriers from everybody else's virtual threads. */
    private byte[] onItsOwnThread(Call call, AccessReview asked) throws StatusException {
        var explained = new FutureTask<>(() -> ExplainedReview.of(asked, explainer));
        Tasks.platform("explanation", explained);
        try {
            return switch (explained.get()) {
                case ExplainedReview.Answered(ExplainedReview.Body body) -> bytes(body);
                case ExplainedReview.Undecided(Decision.Undecided undecided) ->
                    throw new StatusException(Denials.undecided(asked.attributes(call.user()), undecided.reason()));
            };
        } catch (ExecutionException bug) {
            throw new IllegalStateException("an explanation failed", bug.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new StatusException(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");
        }
    }

    private static byte[] bytes(ExplainedReview.Body body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try {
            body.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return out.toByteArray();
    }
}
