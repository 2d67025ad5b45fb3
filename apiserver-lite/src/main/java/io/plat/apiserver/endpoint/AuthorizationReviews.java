package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.Denials;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.operations.OperationBody;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedReview;
import io.plat.engine.explain.Explainer;
import io.plat.engine.overview.OverviewQuery;
import io.plat.engine.webhook.CachingAuthorizer;
import io.plat.http.FairLimit;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.codec.Expectation;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.codec.RulesReviewCodec;
import io.plat.review.explain.RuleListing;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Virtual types of the authorization group, answered by the authorizer of requests (specification, "Access-check resource"). A denial is
 * a successful response: 201 with {@code allowed: false}; a failure to decide is a 500.
 *
 * <p>Explanations and overviews scan the whole policy: their concurrency is limited and shared fairly by clients, each has a thread of its
 * own, and excess requests receive 429.
 */
final class AuthorizationReviews {
    /** Concurrent explanations and overviews, each; each may occupy a processor. */
    private static final int CONCURRENCY = 4;

    /** Bytes that the response takes for a character of rules: the response, the buffer that grows to it, and its copy. */
    private static final int ENCODED = 4;

    private final Authorizer authorizer;
    private final Explainer explainer;
    private final DocumentResponse.BodyReader bodies;
    private final ReviewCodec reviews;
    private final RulesReviewCodec rules;
    private final FairLimit explanations = new FairLimit(CONCURRENCY);
    private final FairLimit overviews = new FairLimit(CONCURRENCY);

    /** @param limit maximum size of a body in bytes */
    AuthorizationReviews(Authorizer authorizer, DocumentResponse.BodyReader bodies, int limit) {
        this.authorizer = authorizer;
        this.explainer = Explainer.of("the authorizer", authorizer);
        this.bodies = bodies;
        this.reviews = new ReviewCodec(limit);
        this.rules = new RulesReviewCodec(limit);
    }

    /** Returns the response to a request for one of these types; empty for other types. */
    Optional<ApiResponse> answer(Call call, ResourceType type, ResourceAttributes access) throws StatusException {
        Optional<ReviewVersion> known = ReviewVersion.of(access.group() + "/" + access.version());
        if (known.isEmpty()) {
            return Optional.empty();
        }
        ReviewVersion version = known.get();
        if (access.resource().equals(RulesReview.RESOURCE)) {
            return created(call, type, body -> rules(call, rules.decode(body.json(), version)));
        }
        Optional<OverviewQuery> overview = OverviewQuery.of(access.resource());
        if (overview.isPresent()) {
            OverviewQuery query = overview.get();
            return created(
                    call, type, body -> inSlot(call, overviews, () -> query.answer(body.json(), version, authorizer)));
        }
        for (ReviewKind kind : ReviewKind.values()) {
            if (kind.resource().equals(access.resource())) {
                Expectation expected = kind == ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW
                        ? Expectation.local(version, access.namespace())
                        : Expectation.at(version, kind);
                return created(call, type, body -> {
                    AccessReview decoded = decode(body, expected);
                    byte[] answer = review(call, kind, decoded);
                    return body.metadata().isEmpty() ? answer : owned(body, answer);
                });
            }
        }
        return Optional.empty();
    }

    private Optional<ApiResponse> created(Call call, ResourceType type, DocumentResponse.Review review)
            throws StatusException {
        return Optional.of(DocumentResponse.created(call, bodies, type, review));
    }

    private static byte[] owned(OperationBody body, byte[] answer) {
        ObjectNode review = Json.parse(new String(answer, StandardCharsets.UTF_8));
        Json.child(review, "metadata").setAll(body.metadata());
        return Json.bytes(review);
    }

    /** Decodes a review, which must not contain a status. */
    private AccessReview decode(OperationBody body, Expectation expected) throws StatusException {
        boolean local = !expected.namespace().isEmpty();
        if (!body.hasMetadata(local)) {
            return reviews.decode(body.json(), expected);
        }
        List<Status.Cause> causes = new ArrayList<>();
        try {
            reviews.decode(body.json(), expected);
        } catch (StatusException e) {
            if (e.status().reason() != StatusReason.INVALID) {
                throw e;
            }
            causes.addAll(Objects.requireNonNull(e.status().details()).causes());
        }
        String reason = local ? "must be empty except for namespace" : "must be empty";
        boolean other = !causes.isEmpty() && causes.getLast().field().equals("spec.resourceAttributes.namespace");
        causes.add(
                causes.size() - (other ? 1 : 0),
                new Status.Cause(
                        "FieldValueInvalid",
                        FieldErrorMessages.invalid(body.metadata().toString(), reason),
                        "metadata"));
        throw ApiErrors.invalid(Objects.requireNonNull(expected.version()).group(), "", "", causes);
    }

    private byte[] review(Call call, ReviewKind kind, AccessReview review) throws StatusException {
        return switch (kind) {
            case SUBJECT_ACCESS_REVIEW, SELF_SUBJECT_ACCESS_REVIEW, LOCAL_SUBJECT_ACCESS_REVIEW ->
                reviews.encodeResponse(review, decide(call, review.attributes(call.user())));
            case ACCESS_EXPLANATION, SUBJECT_LISTING -> inSlot(call, explanations, () -> explain(call, review));
        };
    }

    private ReviewStatus decide(Call call, Attributes attributes) throws StatusException {
        return switch (CachingAuthorizer.authorizeFor(call.client(), authorizer, attributes)) {
            case Decision.Allow allow -> ReviewStatus.of(true, allow.reason());
            case Decision.Deny deny -> ReviewStatus.of(false, deny.reason());
            case Decision.NoOpinion none -> ReviewStatus.of(false, none.reason());
            case Decision.Undecided undecided ->
                throw new StatusException(Denials.undecided(attributes, undecided.reason()));
        };
    }

    private byte[] explain(Call call, AccessReview requested) throws StatusException {
        return switch (ExplainedReview.of(requested, explainer)) {
            case ExplainedReview.Answered(ExplainedReview.Body body) -> bytes(body);
            case ExplainedReview.Undecided(Decision.Undecided undecided) ->
                throw new StatusException(Denials.undecided(requested.attributes(call.user()), undecided.reason()));
        };
    }

    private static byte[] bytes(ExplainedReview.Body body) {
        return ((Body) body::writeTo).bytes();
    }

    /** Returns the rules; authorizers that cannot enumerate theirs make them incomplete, and are named. */
    private byte[] rules(Call call, RulesReview review) {
        // A namespace's administrator can give an account any number of rules.
        RequestMemory.current().computes();
        RuleListing listing = explainer.rules(call.user(), review.namespace());
        RequestMemory.current().charge(ENCODED * listing.length());
        return rules.encode(review, listing);
    }

    private static byte[] inSlot(Call call, FairLimit slots, RequestMemory.Work<byte[]> work) throws StatusException {
        String client = call.client();
        if (!slots.tryAcquire(client)) {
            throw new StatusException(FairLimit.REFUSED);
        }
        try {
            return work.run();
        } finally {
            slots.release(client);
        }
    }
}
