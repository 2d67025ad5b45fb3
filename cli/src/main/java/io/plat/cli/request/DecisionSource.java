package io.plat.cli.request;

import io.plat.cli.request.ResourceTypes.AdditionalTypes;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import java.util.Optional;

/** Source of decisions: policy files, or a server. */
public sealed interface DecisionSource extends ExplanationSource permits PolicyFileSource, ServerSource {
    /** Version of all requests; every Kubernetes server and both servers of this project support it. */
    ReviewVersion REVIEW_VERSION = ReviewVersion.K8S_V1;

    /** Returns the default namespace of requests. */
    String namespace();

    /** Returns resource types that are not built in. */
    AdditionalTypes additionalTypes();

    /**
     * Requests a decision.
     *
     * @throws io.plat.cli.process.CommandException if there is no answer
     */
    DecodedResponse<ReviewStatus> decide(AccessReview review);

    /**
     * Returns the review of one request.
     *
     * @param subject its subject; empty for the caller
     */
    static AccessReview review(Optional<UserInfo> subject, AccessAttributes access) {
        return new AccessReview(
                subject.isPresent() ? ReviewKind.SUBJECT_ACCESS_REVIEW : ReviewKind.SELF_SUBJECT_ACCESS_REVIEW,
                REVIEW_VERSION,
                subject.orElse(null),
                access);
    }
}
