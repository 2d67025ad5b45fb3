package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.util.Optional;

/** Codec of reviews as JSON. Thread-safe. */
public final class ReviewCodec {
    /** Default maximum size of a body, in bytes, like that of kube-apiserver. */
    public static final int DEFAULT_MAX_BYTES = 3 << 20;

    private final int maxBytes;

    /** Creates a codec for bodies of up to {@link #DEFAULT_MAX_BYTES}. */
    public ReviewCodec() {
        this(DEFAULT_MAX_BYTES);
    }

    /**
     * Creates a codec.
     *
     * @param maxBytes maximum size of a body, in bytes
     */
    public ReviewCodec(int maxBytes) {
        this.maxBytes = JsonBody.requireLimit(maxBytes);
    }

    /** Returns the maximum size of a body, in bytes. */
    public int maxBytes() {
        return maxBytes;
    }

    /**
     * Returns the failure for a body that exceeds a limit; a server that knows the length need not read it.
     *
     * @param limit in bytes
     */
    public static Status tooLarge(int limit) {
        return Status.of(StatusReason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: limit is " + limit);
    }

    /**
     * Decodes a client's review.
     *
     * @param body has the review from {@code offset} on; not retained
     * @param expected the review that the request's path implies
     * @throws StatusException 400 if it is malformed or not the expected review, 413 if it is too large, 422 with every cause if it is
     *     well-formed but cannot be decided
     */
    public AccessReview decode(byte[] body, int offset, int length, Expectation expected) throws StatusException {
        if (length > maxBytes) {
            throw new StatusException(tooLarge(maxBytes));
        }
        return ReviewReader.read(new JsonBody(body, offset, length), expected);
    }

    /** Decodes a review like {@link #decode(byte[], int, int, Expectation)}, from a whole array. */
    public AccessReview decode(byte[] body, Expectation expected) throws StatusException {
        return decode(body, 0, body.length, expected);
    }

    /** Encodes the response to a review: its spec in its own vocabulary, and the status. UTF-8. */
    public byte[] encodeResponse(AccessReview review, ReviewStatus status) {
        return ResponseDocument.written(
                json -> ReviewWriter.answer(review, members -> ReviewWriter.status(status, members), json));
    }

    /** Encodes the SubjectAccessReview for a remote decider: only the spec, without empty members. UTF-8. */
    public byte[] encodeRequest(ReviewVersion version, Attributes attributes) {
        return encodeRequest(
                new AccessReview(ReviewKind.SUBJECT_ACCESS_REVIEW, version, attributes.user(), attributes.access()));
    }

    /** Encodes a review as a client sends it: only the spec, without empty members. UTF-8. */
    public byte[] encodeRequest(AccessReview review) {
        return ResponseDocument.written(json -> ReviewWriter.request(review, json));
    }

    /**
     * Writes a request as the member {@code spec} of an object whose start was written.
     *
     * @throws IOException if the generator's destination fails
     */
    public static void writeSpec(ReviewVersion version, Attributes attributes, JsonGenerator json) throws IOException {
        ReviewWriter.writeSpec(version, attributes, json);
    }

    /**
     * Decodes the status of a remote decider's response.
     *
     * @param version the requested version
     * @throws MalformedResponseException unless the body is a SubjectAccessReview of that version with a consistent status; its spec is ignored
     *     (specification, "Outbound call to a remote decision service")
     */
    public ReviewStatus decodeResponse(byte[] body, ReviewVersion version) throws MalformedResponseException {
        return decodeResponse(body, ReviewKind.SUBJECT_ACCESS_REVIEW, version);
    }

    /**
     * Decodes the status of a server's response to a review of any kind.
     *
     * @throws MalformedResponseException unless the body is a review of the requested kind and version, with such a status
     */
    public ReviewStatus decodeResponse(byte[] body, ReviewKind kind, ReviewVersion version)
            throws MalformedResponseException {
        return ResponseReader.read(body, maxBytes, kind.kind(), version.apiVersion(), ResponseReader::status);
    }

    /**
     * Decodes {@code status.allowed} of a server's response to a review of any kind, in any version.
     *
     * @return empty if a kind whose response is not a decision has none
     * @throws MalformedResponseException unless the body is a review of the requested kind and version
     */
    public Optional<Boolean> decodeAllowed(byte[] body, String kind, String apiVersion)
            throws MalformedResponseException {
        return ReviewKind.of(kind).isPresent()
                ? Optional.of(ResponseReader.read(body, maxBytes, kind, apiVersion, ResponseReader::status)
                        .allowed())
                : ResponseReader.read(body, ExplanationCodec.MAX_BYTES, kind, apiVersion, ResponseReader::allowed);
    }
}
