package io.plat.cli.ask;

import io.plat.cli.CommandException;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explained;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.codec.ExplanationCodec;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectListing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/** Explains with the engine of this process, so that what it says is what a decider would say. */
final class PolicyExplanations implements Explanations {
    private final Authorizer authorizer;
    private final Explainer explainer;

    PolicyExplanations(Authorizer authorizer) {
        this.authorizer = authorizer;
        this.explainer = Explainer.of("the policy", authorizer);
    }

    @Override
    public Told<Explanation> explain(AccessReview asked) {
        Explained explained = explainer.explain(new Attributes(Objects.requireNonNull(asked.user()), asked.access()));
        Decision decision = explained.decision();
        if (decision instanceof Decision.Undecided undecided) {
            throw CommandException.couldNotTell(undecided.reason());
        }
        return told(
                asked, new Explanation(decision instanceof Decision.Allow, decision.reason(), explained.findings()));
    }

    @Override
    public Told<SubjectListing> subjects(AccessReview asked) {
        return told(asked, explainer.subjects(asked.access()));
    }

    @Override
    public Optional<Authorizer> engine() {
        return Optional.of(authorizer);
    }

    static Told<Explanation> told(AccessReview asked, Explanation explanation) {
        ByteArrayOutputStream json = new ByteArrayOutputStream(1024);
        try {
            new ExplanationCodec().encode(asked, explanation, json);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return new Told<>(explanation, json.toByteArray());
    }

    static Told<SubjectListing> told(AccessReview asked, SubjectListing listing) {
        ByteArrayOutputStream json = new ByteArrayOutputStream(1024);
        try {
            new ExplanationCodec().encode(asked, listing, json);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return new Told<>(listing, json.toByteArray());
    }
}
