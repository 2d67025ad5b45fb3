package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.engine.Authorizer;
import io.plat.engine.overview.OverviewQuestion;
import io.plat.http.InFlightLimit;
import io.plat.process.Tasks;
import io.plat.review.ReviewVersion;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Questions about the policy as a whole. They look through all of it, so that few are answered at a time, each on a thread of its own;
 * the others are answered 429.
 */
final class OverviewEndpoint {
    private final Authorizer authorizer;
    private final Bodies bodies;
    private final InFlightLimit places = new InFlightLimit(ExplanationEndpoint.AT_A_TIME);

    OverviewEndpoint(Authorizer authorizer, Bodies bodies) {
        this.authorizer = authorizer;
        this.bodies = bodies;
    }

    Answer answer(Call call, OverviewQuestion question, ReviewVersion version) throws StatusException {
        TypeMeta type = new TypeMeta(version.apiVersion(), question.kind());
        DocumentAnswer answer = DocumentAnswer.to(call, type);
        byte[] asked = bodies.json(call, type);
        if (!places.tryEnter()) {
            throw new StatusException(InFlightLimit.REFUSED);
        }
        try {
            return answer.of(201, onItsOwnThread(question, asked, version));
        } finally {
            places.leave();
        }
    }

    /** A platform thread: one that computes would keep the carriers from everybody else's virtual threads. */
    private byte[] onItsOwnThread(OverviewQuestion question, byte[] asked, ReviewVersion version)
            throws StatusException {
        var answered = new FutureTask<>(() -> question.answer(asked, version, authorizer));
        Tasks.platform("overview", answered);
        try {
            return answered.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof StatusException refused) {
                throw refused;
            }
            throw new IllegalStateException("an overview failed", failed.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new StatusException(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");
        }
    }
}
