package io.plat.engine.webhook;

import io.plat.client.cache.Revised;
import io.plat.client.remote.Deciders;
import io.plat.client.remote.Endpoint;
import io.plat.client.remote.MalformedAnswerException;
import io.plat.client.remote.Reply;
import io.plat.client.remote.RequestType;
import io.plat.client.remote.RequestType.Decoder;
import io.plat.client.remote.RoundTrips;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.process.Waiting;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.UserInfo;
import io.plat.review.codec.ExplanationCodec;
import io.plat.review.codec.MalformedResponseException;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.codec.RulesReviewCodec;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.source.Quoted;
import java.time.Duration;
import java.util.List;

/**
 * Authorizer that sends requests to a remote decider, or one of several with the same name. The calling thread waits no longer than the deadline;
 * every failure is {@link Undecided}.
 *
 * <p>Attributes are sent unchanged: a group under the name that the request used (contract, "Two vocabularies").
 */
public final class WebhookAuthorizer implements Authorizer, Explainer, AutoCloseable {
    public static final String MODE = "Webhook";

    private static final RulesReviewCodec RULES = new RulesReviewCodec();

    /** Maximum size of the rules of one user, in bytes: a decider sends at most as many characters, and nearly all take one byte. */
    private static final int MAX_RULES_BYTES = 4 * Explainer.MAX_RULE_TEXT;

    private final Endpoint endpoint;
    private final Settings settings;
    private final Deciders.Timing timing;
    private final Deciders remote;
    private final ReviewCodec codec = new ReviewCodec();
    private final RequestType<ReviewStatus> decisions;
    private final RequestType<Explanation> explanations;
    private final RequestType<SubjectListing> listings;
    private final RequestType<RuleListing> rules;
    private final RemoteFindings findings;
    private volatile RoundTrips roundTrips = RoundTrips.NONE;

    /**
     * Settings of requests.
     *
     * @param version the version of the reviews
     * @param deadline time limit of one decision, including all attempts and delays
     */
    public record Settings(ReviewVersion version, Duration deadline) {
        public Settings {
            if (!deadline.isPositive()) {
                throw new IllegalArgumentException("deadline must be positive: " + deadline);
            }
        }
    }

    /** Creates an authorizer for an endpoint. It connects with the first request. */
    public WebhookAuthorizer(Endpoint endpoint, Settings settings) {
        this(endpoint, settings, Deciders.Timing.REAL);
    }

    WebhookAuthorizer(Endpoint endpoint, Settings settings, Deciders.Timing timing) {
        this(endpoint, settings, timing, Deciders.Resolver.SYSTEM);
    }

    WebhookAuthorizer(Endpoint endpoint, Settings settings, Deciders.Timing timing, Deciders.Resolver resolver) {
        this.endpoint = endpoint;
        this.settings = settings;
        this.timing = timing;
        this.remote = new Deciders(List.of(endpoint), settings.deadline(), resolver, timing, new SupervisedLoops());
        ReviewVersion version = settings.version();
        this.decisions =
                new RequestType<>(url -> url, codec.maxBytes(), decoder(body -> codec.decodeResponse(body, version)));
        this.explanations = new RequestType<>(
                url -> WebhookEndpoint.explanationUrl(url, ReviewKind.ACCESS_EXPLANATION.resource(), version),
                ExplanationCodec.MAX_BYTES,
                decoder(body -> ExplanationCodec.decodeExplanation(body, version)));
        this.listings = new RequestType<>(
                url -> WebhookEndpoint.explanationUrl(url, ReviewKind.SUBJECT_LISTING.resource(), version),
                ExplanationCodec.MAX_BYTES,
                decoder(body -> ExplanationCodec.decodeListing(body, version)));
        this.rules = new RequestType<>(
                url -> WebhookEndpoint.explanationUrl(url, RulesReview.SUBJECT_RESOURCE, RulesReview.SUBJECT_VERSION),
                MAX_RULES_BYTES,
                decoder(RULES::decodeSubjectResponse));
        this.findings = new RemoteFindings(endpoint.url().toString());
    }

    /** A codec of reviews. */
    @FunctionalInterface
    private interface ResponseDecoder<T> {
        T decode(byte[] body) throws MalformedResponseException;
    }

    private static <T> Decoder<T> decoder(ResponseDecoder<T> codec) {
        return body -> {
            try {
                return codec.decode(body);
            } catch (MalformedResponseException e) {
                throw new MalformedAnswerException(String.valueOf(e.getMessage()));
            }
        };
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return review(attributes).answer();
    }

    /** Requests a decision, with the revision of its policy. Blocks the calling thread. */
    Revised<Decision> review(Attributes attributes) {
        return review(attributes, timing.nanos().getAsLong());
    }

    private Revised<Decision> review(Attributes attributes, long begin) {
        byte[] body = codec.encodeRequest(settings.version(), attributes);
        return switch (send(decisions, body, begin)) {
            case Reply.Answered<ReviewStatus>(ReviewStatus status, String revision) ->
                new Revised<>(decision(status.allowed(), status.denied(), status.reason()), revision);
            case Reply.Failure<ReviewStatus> failure -> undecided(failure.reason());
        };
    }

    /**
     * {@inheritDoc}
     *
     * <p>The remote decider explains. If it does not, or not to this server, its decision is requested within the rest of the deadline.
     */
    @Override
    public ExplainedDecision explain(Attributes attributes) {
        long begin = timing.nanos().getAsLong();
        byte[] body = codec.encodeRequest(new AccessReview(
                ReviewKind.ACCESS_EXPLANATION, settings.version(), attributes.user(), attributes.access()));
        return switch (send(explanations, body, begin)) {
            case Reply.Answered<Explanation> answered -> {
                Explanation explanation = answered.answer();
                Decision decision = decision(explanation.allowed(), false, explanation.reason());
                yield new ExplainedDecision(decision, findings.of(explanation.findings()));
            }
            case Reply.Failure<Explanation> failure ->
                findings.unexplained(review(attributes, begin).answer(), failure.reason());
        };
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        byte[] body =
                codec.encodeRequest(new AccessReview(ReviewKind.SUBJECT_LISTING, settings.version(), null, access));
        return switch (send(listings, body, timing.nanos().getAsLong())) {
            case Reply.Answered<SubjectListing> answered -> findings.of(answered.answer());
            case Reply.Failure<SubjectListing> failure -> findings.unlisted(failure.reason());
        };
    }

    /**
     * {@inheritDoc}
     *
     * <p>The remote decider lists them, if it supports and permits explanations.
     */
    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        byte[] body = RULES.encodeRequest(new RulesReview(RulesReview.SUBJECT_VERSION, namespace, user));
        return switch (send(rules, body, timing.nanos().getAsLong())) {
            case Reply.Answered<RuleListing> answered -> findings.of(answered.answer());
            case Reply.Failure<RuleListing> failure -> findings.noRules(failure.reason());
        };
    }

    @Override
    public PolicyNames names() {
        return PolicyNames.UNKNOWN;
    }

    private <T> Reply<T> send(RequestType<T> type, byte[] body, long begin) {
        try (Waiting _ = Waiting.begin()) {
            Duration remaining = settings.deadline().minusNanos(timing.nanos().getAsLong() - begin);
            return remote.send(type, body, remaining, type.equals(decisions) ? roundTrips : RoundTrips.NONE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Failure<>(Reply.Kind.FAILED, "interrupted");
        }
    }

    void onRoundTrip(RoundTrips listener) {
        roundTrips = listener;
    }

    private Decision decision(boolean allowed, boolean denied, String remoteReason) {
        String reason = Quoted.shortLine(remoteReason);
        if (allowed) {
            return new Allow(new WebhookGrant(endpoint.url().toString(), reason));
        }
        return denied ? new Deny(reason) : new NoOpinion(reason);
    }

    private Revised<Decision> undecided(String reason) {
        return Revised.of(new Undecided(Cause.FAILED, "webhook " + endpoint.url() + ": " + reason));
    }

    Deciders deciders() {
        return remote;
    }

    /** Closes all connections; requests in progress fail. */
    @Override
    public void close() {
        remote.close();
    }
}
