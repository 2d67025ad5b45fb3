package io.plat.review.codec;

import io.plat.review.ChangeReview;
import io.plat.review.PolicyTextReview;
import io.plat.review.ReviewVersion;
import io.plat.review.status.StatusException;
import java.util.Map;

/** Codec of AccessChange and PolicyText. Thread-safe. */
public final class ChangeCodec {
    private static final MemberNames CHANGE = MemberNames.of("manifests", "lines", "whole");
    private static final MemberNames TEXT = MemberNames.of("match");

    private final int maxBytes;

    /**
     * Creates a codec.
     *
     * @param maxBytes maximum size of a body, in bytes; a string in it has at most 256 Ki characters
     */
    public ChangeCodec(int maxBytes) {
        this.maxBytes = JsonBody.requireLimit(maxBytes);
    }

    /**
     * Decodes an AccessChange. A missing apiVersion or kind is defaulted from the path.
     *
     * @param version the version in the path
     * @throws StatusException 400 if it is malformed or changes nothing, 413 if it is too large
     */
    public ChangeReview change(byte[] body, ReviewVersion version) throws StatusException {
        RulesReviewCodec.PlainSpec spec =
                RulesReviewCodec.PlainSpec.read(body, maxBytes, ChangeReview.KIND, version, CHANGE, "whole");
        Map<String, String> texts = spec.texts();
        if (texts.isEmpty()) {
            throw Members.malformed("spec: expected manifests, lines or both");
        }
        return new ChangeReview(version, texts.get("manifests"), spec.isFlagged(), texts.get("lines"));
    }

    /**
     * Decodes a PolicyText. A missing apiVersion or kind is defaulted from the path.
     *
     * @param version the version in the path
     * @throws StatusException 400 if it is malformed, 413 if it is too large
     */
    public PolicyTextReview text(byte[] body, ReviewVersion version) throws StatusException {
        RulesReviewCodec.PlainSpec spec =
                RulesReviewCodec.PlainSpec.read(body, maxBytes, PolicyTextReview.KIND, version, TEXT, "");
        return new PolicyTextReview(version, spec.texts().getOrDefault("match", ""));
    }
}
