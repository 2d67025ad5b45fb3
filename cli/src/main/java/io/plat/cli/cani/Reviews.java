package io.plat.cli.cani;

import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import java.util.Optional;

/** The reviews that are asked. */
final class Reviews {
    /** Every server of the field knows this version; both programs of this product do. */
    private static final ReviewVersion ASKED = ReviewVersion.K8S_V1;

    private Reviews() {}

    /**
     * The review of one question.
     *
     * @param subject whom it is about; empty for whoever asks
     */
    static AccessReview of(Optional<UserInfo> subject, AccessAttributes access) {
        return subject.map(user -> new AccessReview(ReviewKind.SUBJECT_ACCESS_REVIEW, ASKED, user, access))
                .orElseGet(() -> new AccessReview(ReviewKind.SELF_SUBJECT_ACCESS_REVIEW, ASKED, null, access));
    }
}
