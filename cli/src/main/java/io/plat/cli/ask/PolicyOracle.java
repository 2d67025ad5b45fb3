package io.plat.cli.ask;

import io.plat.cli.CommandException;
import io.plat.cli.server.Trace;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewStatus;
import io.plat.review.UserInfo;
import io.plat.review.codec.ReviewCodec;
import java.util.Objects;

/** Answers from policy files with the engine that a decider runs, so that the answer is the one it would give. */
public final class PolicyOracle implements Oracle {
    private final Authorizer authorizer;
    private final Trace trace;

    /** An oracle that decides by this authorizer, and tells the trace what it was asked. */
    public PolicyOracle(Authorizer authorizer, Trace trace) {
        this.authorizer = authorizer;
        this.trace = trace;
    }

    @Override
    public Verdict ask(AccessReview review) {
        UserInfo subject = Objects.requireNonNull(review.user(), "without a server there is nobody to mean by \"me\"");
        Decision decision = authorizer.authorize(new Attributes(subject, review.access()));
        ReviewStatus status = switch (decision) {
            case Decision.Allow allow -> ReviewStatus.of(true, allow.reason());
            case Decision.Deny deny -> ReviewStatus.of(false, deny.reason());
            case Decision.NoOpinion none -> ReviewStatus.of(false, none.reason());
            case Decision.Undecided undecided -> throw CommandException.couldNotTell(undecided.reason());
        };
        ReviewCodec codec = new ReviewCodec();
        byte[] answer = codec.encodeAnswer(review, status);
        if (trace.on()) {
            trace.asked("decided by policy files", codec.encodeQuestion(review));
            trace.answered(status.allowed() ? "allowed" : "not allowed", answer);
        }
        return new Verdict(status, answer);
    }
}
