package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.json.JsonText;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;

/** Reads and answers SelfSubjectRulesReviews as JSON. Safe for use by any number of threads. */
public final class RulesReviewCodec {
    private static final Set<String> SPEC = Set.of("namespace");

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
        PlainSpec spec = PlainSpec.read(body, maxBytes, RulesReview.KIND, version, SPEC);
        String namespace = Objects.requireNonNullElse(spec.text("namespace"), "");
        if (namespace.isEmpty()) {
            // The words of existing servers.
            throw Members.malformed("no namespace on request");
        }
        return new RulesReview(version, namespace);
    }

    /**
     * The answer. Its spec is empty, as existing servers answer, and what there are no rules for is an empty list. UTF-8.
     */
    public byte[] encode(RulesReview review, RuleListing rules) {
        return AnswerDocument.of(RulesReview.KIND, review.version().apiVersion(), json -> {
            AnswerDocument.object("spec", spec -> {}, json);
            AnswerDocument.object("status", status -> status(rules, status), json);
        });
    }

    /** The review as a client asks it. UTF-8. */
    public byte[] encodeQuestion(RulesReview review) {
        return AnswerDocument.written(json -> {
            json.writeStringField("kind", RulesReview.KIND);
            json.writeStringField("apiVersion", review.version().apiVersion());
            AnswerDocument.object(
                    "spec", spec -> spec.writeStringField("namespace", JsonText.wellFormed(review.namespace())), json);
        });
    }

    /**
     * The rules that a server answers with.
     *
     * @param asked the version of the question
     * @throws MalformedAnswerException unless the body is such a review of that version, with a status; a listing that does not say
     *     whether it is complete is complete, as some servers leave out what is false
     */
    public RuleListing decodeAnswer(byte[] body, ReviewVersion asked) throws MalformedAnswerException {
        return AnswerReader.read(
                body,
                ExplanationCodec.MAX_BYTES,
                RulesReview.KIND,
                asked,
                members -> new RulesAnswerReader(members).listing());
    }

    private static void status(RuleListing rules, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("resourceRules");
        for (ResourceRule rule : rules.resources().items()) {
            json.writeStartObject();
            AnswerDocument.strings("verbs", rule.verbs(), json);
            AnswerDocument.strings("apiGroups", rule.apiGroups(), json);
            AnswerDocument.strings("resources", rule.resources(), json);
            if (!rule.resourceNames().isEmpty()) {
                AnswerDocument.strings("resourceNames", rule.resourceNames(), json);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("nonResourceRules");
        for (PathRule rule : rules.paths().items()) {
            json.writeStartObject();
            AnswerDocument.strings("verbs", rule.verbs(), json);
            AnswerDocument.strings("nonResourceURLs", rule.paths(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("incomplete", rules.incomplete());
        if (rules.incomplete()) {
            json.writeStringField("evaluationError", JsonText.wellFormed(rules.error()));
        }
    }
}
