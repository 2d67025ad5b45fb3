package io.plat.cli.request;

import io.plat.cli.process.CommandException;
import io.plat.cli.request.ResourceTypes.AdditionalTypes;
import io.plat.cli.server.DecodedResponse;
import io.plat.cli.server.Trace;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewStatus;
import io.plat.review.UserInfo;
import io.plat.review.codec.ExplanationCodec;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectListing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/**
 * Policy files, with the engine of a decider, so that the results are the same.
 *
 * @param trace receives requests and responses
 */
public record PolicyFileSource(Authorizer authorizer, String namespace, Trace trace) implements DecisionSource {
    interface Encoder {
        void write(OutputStream out) throws IOException;
    }

    @Override
    public AdditionalTypes additionalTypes() {
        return AdditionalTypes.NONE;
    }

    /** Returns the explainer of these files. */
    public Explainer explainer() {
        return Explainer.of("the policy", authorizer);
    }

    @Override
    public DecodedResponse<ReviewStatus> decide(AccessReview review) {
        UserInfo subject = Objects.requireNonNull(review.user(), "--as: required without a server");
        Decision decision = authorizer.authorize(new Attributes(subject, review.access()));
        if (decision instanceof Decision.Undecided undecided) {
            throw CommandException.undetermined(undecided.reason());
        }
        ReviewStatus status = ReviewStatus.of(decision instanceof Decision.Allow, decision.reason());
        ReviewCodec codec = new ReviewCodec();
        byte[] answer = codec.encodeResponse(review, status);
        if (trace.on()) {
            trace.request("decided by policy files", codec.encodeRequest(review));
            trace.response(status.allowed() ? "allowed" : "not allowed", answer);
        }
        return new DecodedResponse<>(status, answer);
    }

    @Override
    public DecodedResponse<Explanation> explain(AccessReview requested) {
        ExplainedDecision explained =
                explainer().explain(new Attributes(Objects.requireNonNull(requested.user()), requested.access()));
        Decision decision = explained.decision();
        if (decision instanceof Decision.Undecided undecided) {
            throw CommandException.undetermined(undecided.reason());
        }
        return encoded(
                requested,
                new Explanation(decision instanceof Decision.Allow, decision.reason(), explained.findings()));
    }

    @Override
    public DecodedResponse<SubjectListing> subjects(AccessReview requested) {
        return encoded(requested, explainer().subjects(requested.access()));
    }

    @Override
    public Optional<Authorizer> engine() {
        return Optional.of(authorizer);
    }

    static DecodedResponse<Explanation> encoded(AccessReview requested, Explanation explanation) {
        return new DecodedResponse<>(explanation, written(out -> ExplanationCodec.encode(requested, explanation, out)));
    }

    static DecodedResponse<SubjectListing> encoded(AccessReview requested, SubjectListing listing) {
        return new DecodedResponse<>(listing, written(out -> ExplanationCodec.encode(requested, listing, out)));
    }

    private static byte[] written(Encoder answer) {
        ByteArrayOutputStream json = new ByteArrayOutputStream(1024);
        try {
            answer.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return json.toByteArray();
    }
}
