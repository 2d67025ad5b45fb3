package io.plat.engine.overview;

import io.plat.engine.Authorizer;
import io.plat.engine.matrix.Matrices;
import io.plat.engine.whatif.ChangePreview;
import io.plat.engine.whatif.PolicyTexts;
import io.plat.review.ChangeReview;
import io.plat.review.MatrixReview;
import io.plat.review.PolicyTextReview;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.ChangeCodec;
import io.plat.review.codec.MatrixCodec;
import io.plat.review.status.StatusException;
import java.util.Arrays;
import java.util.Optional;

/** Queries about the policy as a whole. Each is a virtual resource of the authorization group, which is created and not stored. */
public enum OverviewQuery {
    /** Access of subjects to resources, as a table. */
    MATRIX(MatrixReview.RESOURCE) {
        @Override
        public byte[] answer(byte[] body, ReviewVersion version, Authorizer authorizer) throws StatusException {
            MatrixReview review = MATRIX_CODEC.decode(body, version);
            return MATRIX_CODEC.encode(review, MATRICES.of(review, authorizer));
        }
    },
    /** Grants and revocations by an edited policy. */
    CHANGE(ChangeReview.RESOURCE) {
        @Override
        public byte[] answer(byte[] body, ReviewVersion version, Authorizer authorizer) throws StatusException {
            return ChangePreview.of(CHANGE_CODEC.change(body, version), authorizer);
        }
    },
    /** The policy in effect, as text. */
    TEXT(PolicyTextReview.RESOURCE) {
        @Override
        public byte[] answer(byte[] body, ReviewVersion version, Authorizer authorizer) throws StatusException {
            return PolicyTexts.of(CHANGE_CODEC.text(body, version), authorizer);
        }
    };

    /** Maximum size of a request, in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    private static final MatrixCodec MATRIX_CODEC = new MatrixCodec(MAX_BYTES);
    private static final ChangeCodec CHANGE_CODEC = new ChangeCodec(MAX_BYTES);
    private static final Matrices MATRICES = new Matrices();

    private final String resource;

    OverviewQuery(String resource) {
        this.resource = resource;
    }

    public String resource() {
        return resource;
    }

    public static Optional<OverviewQuery> of(String resource) {
        return Arrays.stream(values())
                .filter(each -> each.resource.equals(resource))
                .findFirst();
    }

    /**
     * Answers a request in JSON. May take as long as scanning the policy.
     *
     * @param version the version in the path
     * @param authorizer the authorizer with the policy
     * @throws StatusException if the request is invalid, or the policy is too large for it
     */
    public abstract byte[] answer(byte[] body, ReviewVersion version, Authorizer authorizer) throws StatusException;
}
