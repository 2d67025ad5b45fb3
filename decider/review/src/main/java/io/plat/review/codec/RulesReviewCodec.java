package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.json.JsonText;
import io.plat.review.status.StatusException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Reads and answers SelfSubjectRulesReviews as JSON. Safe for use by any number of threads. */
public final class RulesReviewCodec {
    private final int maxBytes;

    /** A codec that reads bodies of up to {@link ReviewCodec#DEFAULT_MAX_BYTES}. */
    public RulesReviewCodec() {
        this(ReviewCodec.DEFAULT_MAX_BYTES);
    }

    /**
     * A codec.
     *
     * @param maxBytes the largest body that is read, in bytes
     */
    public RulesReviewCodec(int maxBytes) {
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("no body could be read: " + maxBytes);
        }
        this.maxBytes = maxBytes;
    }

    /**
     * The review that a client sends. A missing apiVersion or kind is filled in from the path.
     *
     * @param version the version that the path names
     * @throws StatusException 400 for what is malformed, not such a review or about no namespace, 413 for what is too large
     */
    public RulesReview decode(byte[] body, ReviewVersion version) throws StatusException {
        if (body.length > maxBytes) {
            throw new StatusException(ReviewCodec.tooLarge(maxBytes));
        }
        return RulesReviewReader.read(new Body(body, 0, body.length), version);
    }

    /**
     * The answer. Its spec is empty, as existing servers answer, and what there are no rules for is an empty list. UTF-8.
     */
    public byte[] encode(RulesReview review, RuleListing rules) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = Body.JSON.createGenerator(body)) {
            json.writeStartObject();
            json.writeStringField("kind", RulesReview.KIND);
            json.writeStringField("apiVersion", review.version().apiVersion());
            json.writeObjectFieldStart("metadata");
            json.writeNullField("creationTimestamp");
            json.writeEndObject();
            json.writeObjectFieldStart("spec");
            json.writeEndObject();
            json.writeObjectFieldStart("status");
            status(rules, json);
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return body.toByteArray();
    }

    /** The review as a client asks it. UTF-8. */
    public byte[] encodeQuestion(RulesReview review) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Body.JSON.createGenerator(body)) {
            json.writeStartObject();
            json.writeStringField("kind", RulesReview.KIND);
            json.writeStringField("apiVersion", review.version().apiVersion());
            json.writeObjectFieldStart("spec");
            json.writeStringField("namespace", JsonText.wellFormed(review.namespace()));
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return body.toByteArray();
    }

    /**
     * The rules that a server answers with.
     *
     * @param asked the version of the question
     * @throws MalformedAnswerException unless the body is such a review of that version, with a status; a listing that does not say
     *     whether it is complete is complete, as some servers leave out what is false
     */
    public RuleListing decodeAnswer(byte[] body, ReviewVersion asked) throws MalformedAnswerException {
        if (body.length > ExplanationCodec.MAX_BYTES) {
            throw new MalformedAnswerException("the answer is larger than " + ExplanationCodec.MAX_BYTES + " bytes");
        }
        return AnswerReader.read(
                new Body(body, 0, body.length),
                RulesReview.KIND,
                asked,
                members -> new RulesAnswerReader(members).listing());
    }

    private static void status(RuleListing rules, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("resourceRules");
        for (ResourceRule rule : rules.resources().items()) {
            json.writeStartObject();
            strings("verbs", rule.verbs(), json);
            strings("apiGroups", rule.apiGroups(), json);
            strings("resources", rule.resources(), json);
            if (!rule.resourceNames().isEmpty()) {
                strings("resourceNames", rule.resourceNames(), json);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nonResourceRules");
        for (PathRule rule : rules.paths().items()) {
            json.writeStartObject();
            strings("verbs", rule.verbs(), json);
            strings("nonResourceURLs", rule.paths(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("incomplete", rules.incomplete());
        if (rules.incomplete()) {
            json.writeStringField("evaluationError", JsonText.wellFormed(rules.error()));
        }
    }

    private static void strings(String name, List<String> values, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(JsonText.wellFormed(value));
        }
        json.writeEndArray();
    }
}
