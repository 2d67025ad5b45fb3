package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.Suggestion;
import java.io.IOException;
import java.io.OutputStream;

/** Codec of the responses to AccessExplanation and SubjectListing; requests are decoded by {@link ReviewCodec}. */
public final class ExplanationCodec {
    /** Maximum size of a response, in bytes: some hundred thousand subjects. */
    public static final int MAX_BYTES = 32 << 20;

    private ExplanationCodec() {}

    /**
     * Writes the response to an AccessExplanation: the request's spec in its own vocabulary, and the explanation. UTF-8; the stream is flushed and
     * left open.
     *
     * @throws IOException if the stream fails
     */
    public static void encode(AccessReview review, Explanation explanation, OutputStream out) throws IOException {
        ResponseDocument.write(
                members -> ReviewWriter.answer(review, json -> explanation(explanation, json), members), out);
    }

    /**
     * Writes the response to a SubjectListing, like {@link #encode(AccessReview, Explanation, OutputStream)}.
     *
     * @throws IOException if the stream fails
     */
    public static void encode(AccessReview review, SubjectListing listing, OutputStream out) throws IOException {
        ResponseDocument.write(members -> ReviewWriter.answer(review, json -> listing(listing, json), members), out);
    }

    /** Writes an explanation. The members of the contract are always written; omitted counts and unexplained members only if there are any. */
    private static void explanation(Explanation explanation, JsonGenerator json) throws IOException {
        Findings findings = explanation.findings();
        json.writeBooleanField("allowed", explanation.allowed());
        ResponseDocument.text("reason", explanation.reason(), json);
        grants("grants", findings.grants(), json);
        ResponseDocument.objects("nearMisses", findings.nearMisses().items(), json, miss -> {
            grant(miss.grant(), json);
            ResponseDocument.strings("lacks", miss.lacks(), json);
        });
        ResponseDocument.leftOut("nearMissesLeftOut", findings.nearMisses(), json);
        if (findings.suggestion() != null) {
            Suggestion suggestion = findings.suggestion();
            json.writeObjectFieldStart("suggestion");
            ResponseDocument.texts(
                    ExplanationReader.SUGGESTION, json, suggestion.authorizer(), suggestion.text(), suggestion.note());
            json.writeEndObject();
        }
        ResponseDocument.unexplained(findings.unexplained(), json);
    }

    private static void listing(SubjectListing listing, JsonGenerator json) throws IOException {
        ResponseDocument.objects("subjects", listing.subjects().items(), json, subject -> {
            ResponseDocument.subject(subject.subject(), json);
            grants("through", subject.through(), json);
        });
        ResponseDocument.leftOut("subjectsLeftOut", listing.subjects(), json);
        ResponseDocument.unexplained(listing.unexplained(), json);
    }

    private static void grants(String name, BoundedList<NamedGrant> grants, JsonGenerator json) throws IOException {
        ResponseDocument.objects(name, grants.items(), json, grant -> grant(grant, json));
        ResponseDocument.leftOut(name + "LeftOut", grants, json);
    }

    private static void grant(NamedGrant grant, JsonGenerator json) throws IOException {
        ResponseDocument.allTexts(ExplanationReader.GRANT, json, grant.authorizer(), grant.source(), grant.rule());
    }

    /**
     * Decodes the explanation of a remote decider.
     *
     * @param version the requested version
     * @throws MalformedResponseException unless the body is an AccessExplanation of that version, with grants if and only if the request is
     *     allowed
     */
    public static Explanation decodeExplanation(byte[] body, ReviewVersion version) throws MalformedResponseException {
        return read(
                body, ReviewKind.ACCESS_EXPLANATION, version, members -> new ExplanationReader(members).explanation());
    }

    /**
     * Decodes the subjects of a remote decider.
     *
     * @param version the requested version
     * @throws MalformedResponseException unless the body is a SubjectListing of that version
     */
    public static SubjectListing decodeListing(byte[] body, ReviewVersion version) throws MalformedResponseException {
        return read(body, ReviewKind.SUBJECT_LISTING, version, members -> new ExplanationReader(members).listing());
    }

    private static <T> T read(
            byte[] body, ReviewKind kind, ReviewVersion version, ResponseReader.StatusReader<T> status)
            throws MalformedResponseException {
        return ResponseReader.read(body, MAX_BYTES, kind.kind(), version.apiVersion(), status);
    }
}
