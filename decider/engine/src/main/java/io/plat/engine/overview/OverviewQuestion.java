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
import java.util.Optional;

/** Questions about the policy as a whole. Each is a resource of the authorization group that is created and not stored. */
public enum OverviewQuestion {
    /** Access of subjects to resources, as a table. */
    MATRIX(MatrixReview.RESOURCE, MatrixReview.KIND) {
        @Override
        public byte[] answer(byte[] body, ReviewVersion version, Authorizer authorizer) throws StatusException {
            MatrixReview asked = MATRIX_CODEC.decode(body, version);
            return MATRIX_CODEC.encode(asked, MATRICES.of(asked, authorizer));
        }
    },
    /** Grants and revocations by an edited policy. */
    CHANGE(ChangeReview.RESOURCE, ChangeReview.KIND) {
        @Override
        public byte[] answer(byte[] body, ReviewVersion version, Authorizer authorizer) throws StatusException {
            return ChangePreview.of(CHANGE_CODEC.change(body, version), authorizer);
        }
    },
    /** The policy in effect, as text. */
    TEXT(PolicyTextReview.RESOURCE, PolicyTextReview.KIND) {
        @Override
        public byte[] answer(byte[] body, ReviewVersion version, Authorizer authorizer) throws StatusException {
            return PolicyTexts.of(CHANGE_CODEC.text(body, version), authorizer);
        }
    };

    /** The largest question, in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    private static final MatrixCodec MATRIX_CODEC = new MatrixCodec(MAX_BYTES);
    private static final ChangeCodec CHANGE_CODEC = new ChangeCodec(MAX_BYTES);
    private static final Matrices MATRICES = new Matrices();

    private final String resource;
    private final String kind;

    OverviewQuestion(String resource, String kind) {
        this.resource = resource;
        this.kind = kind;
    }

    public String resource() {
        return resource;
    }

    public String kind() {
        return kind;
    }

    public static Optional<OverviewQuestion> of(String resource) {
        for (OverviewQuestion question : values()) {
            if (question.resource.equals(resource)) {
                return Optional.of(question);
            }
        }
        return Optional.empty();
    }

    /**
     * The answer as JSON. May take as long as looking through a policy does.
     *
     * @param body the question as it was sent
     * @param version the version that the path names
     * @param authorizer decides
     * @throws StatusException if there is none
     */
    public abstract byte[] answer(byte[] body, ReviewVersion version, Authorizer authorizer) throws StatusException;
}
