package io.plat.cli.ask;

import io.plat.cli.process.CommandException;
import io.plat.cli.question.ResourceTypes.AdditionalTypes;
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
 * @param authorizer the authorizer of the files
 * @param trace receives requests and responses
 */
public record PolicyFileSource(Authorizer authorizer, String namespace, Trace trace) implements DecisionSource {
    interface Writing {
        void write(OutputStream out) throws IOException;
    }

    @Override
    public AdditionalTypes furtherTypes() {
        return AdditionalTypes.NONE;
    }

    /** Explains by these files. */
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
            trace.asked("decided by policy files", codec.encodeRequest(review));
            trace.answered(status.allowed() ? "allowed" : "not allowed", answer);
        }
        return new DecodedResponse<>(status, answer);
    }

    @Override
    public DecodedResponse<Explanation> explain(AccessReview asked) {
        ExplainedDecision explained =
                explainer().explain(new Attributes(Objects.requireNonNull(asked.user()), asked.access()));
        Decision decision = explained.decision();
        if (decision instanceof Decision.Undecided undecided) {
            throw CommandException.undetermined(undecided.reason());
        }
        return answered(
                asked, new Explanation(decision instanceof Decision.Allow, decision.reason(), explained.findings()));
    }

    @Override
    public DecodedResponse<SubjectListing> subjects(AccessReview asked) {
        return answered(asked, explainer().subjects(asked.access()));
    }

    @Override
    public Optional<Authorizer> engine() {
        return Optional.of(authorizer);
    }

    static DecodedResponse<Explanation> answered(AccessReview asked, Explanation explanation) {
        return new DecodedResponse<>(
                explanation, written(out -> new ExplanationCodec().encode(asked, explanation, out)));
    }

    static DecodedResponse<SubjectListing> answered(AccessReview asked, SubjectListing listing) {
        return new DecodedResponse<>(listing, written(out -> new ExplanationCodec().encode(asked, listing, out)));
    }

    private static byte[] written(Writing answer) {
        ByteArrayOutputStream json = new ByteArrayOutputStream(1024);
        try {
            answer.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return json.toByteArray();
    }
}
