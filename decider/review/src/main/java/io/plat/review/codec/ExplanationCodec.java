package io.plat.review.codec;

import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectListing;
import java.io.IOException;
import java.io.OutputStream;

/** Codec of the responses to AccessExplanation and SubjectListing; requests are decoded by {@link ReviewCodec}. Thread-safe. */
public final class ExplanationCodec {
    /** Maximum size of a response, in bytes: some hundred thousand subjects. */
    public static final int MAX_BYTES = 32 << 20;

    /**
     * Writes the response to an AccessExplanation: the request's spec in its own vocabulary, and the explanation. UTF-8; the stream is flushed and
     * left open.
     *
     * @throws IOException if the stream fails
     */
    public void encode(AccessReview review, Explanation explanation, OutputStream out) throws IOException {
        ReviewWriter.writeAnswer(review, json -> new ExplanationWriter(json).explanation(explanation), out);
    }

    /**
     * Writes the response to a SubjectListing, like {@link #encode(AccessReview, Explanation, OutputStream)}.
     *
     * @throws IOException if the stream fails
     */
    public void encode(AccessReview review, SubjectListing listing, OutputStream out) throws IOException {
        ReviewWriter.writeAnswer(review, json -> new ExplanationWriter(json).listing(listing), out);
    }

    /**
     * Decodes the explanation of a remote decider.
     *
     * @param version the requested version
     * @throws MalformedResponseException unless the body is an AccessExplanation of that version, with grants if and only if the request is
     *     allowed
     */
    public Explanation decodeExplanation(byte[] body, ReviewVersion version) throws MalformedResponseException {
        return read(
                body, ReviewKind.ACCESS_EXPLANATION, version, members -> new ExplanationReader(members).explanation());
    }

    /**
     * Decodes the subjects of a remote decider.
     *
     * @param version the requested version
     * @throws MalformedResponseException unless the body is a SubjectListing of that version
     */
    public SubjectListing decodeListing(byte[] body, ReviewVersion version) throws MalformedResponseException {
        return read(body, ReviewKind.SUBJECT_LISTING, version, members -> new ExplanationReader(members).listing());
    }

    private static <T> T read(
            byte[] body, ReviewKind kind, ReviewVersion version, ResponseReader.StatusReader<T> status)
            throws MalformedResponseException {
        return ResponseReader.read(body, MAX_BYTES, kind.kind(), version.apiVersion(), status);
    }
}
