package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.explain.Bounded;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Suggestion;
import io.plat.review.json.JsonText;
import java.io.IOException;

/**
 * Writes the status of explanations. The members that the contract names are always written; what was left out and who could not explain
 * only where there is such a thing.
 */
final class ExplanationWriter {
    private final JsonGenerator json;

    ExplanationWriter(JsonGenerator json) {
        this.json = json;
    }

    void explanation(Explanation explanation) throws IOException {
        Findings findings = explanation.findings();
        json.writeBooleanField("allowed", explanation.allowed());
        string("reason", explanation.reason());
        grants("grants", findings.grants());
        json.writeArrayFieldStart("nearMisses");
        for (NearMiss miss : findings.nearMisses().items()) {
            nearMiss(miss);
        }
        json.writeEndArray();
        leftOut("nearMissesLeftOut", findings.nearMisses());
        if (findings.suggestion() != null) {
            suggestion(findings.suggestion());
        }
        AnswerDocument.unexplained(findings.unexplained(), json);
    }

    void listing(SubjectListing listing) throws IOException {
        json.writeArrayFieldStart("subjects");
        for (ListedSubject subject : listing.subjects().items()) {
            subject(subject);
        }
        json.writeEndArray();
        leftOut("subjectsLeftOut", listing.subjects());
        AnswerDocument.unexplained(listing.unexplained(), json);
    }

    private void subject(ListedSubject subject) throws IOException {
        json.writeStartObject();
        who(subject.who());
        grants("through", subject.through());
        json.writeEndObject();
    }

    /** The members that name a subject. */
    void who(SubjectName who) throws IOException {
        json.writeStringField("kind", who.kind().word());
        json.writeStringField("name", JsonText.wellFormed(who.name()));
        string("namespace", who.namespace());
        string("inGroup", who.inGroup());
        if (who.kind() == SubjectName.Kind.EVERYBODY) {
            json.writeBooleanField("everybody", true);
        }
    }

    private void grants(String name, Bounded<NamedGrant> grants) throws IOException {
        json.writeArrayFieldStart(name);
        for (NamedGrant grant : grants.items()) {
            json.writeStartObject();
            grant(grant);
            json.writeEndObject();
        }
        json.writeEndArray();
        leftOut(name + "LeftOut", grants);
    }

    private void nearMiss(NearMiss miss) throws IOException {
        json.writeStartObject();
        grant(miss.grant());
        AnswerDocument.strings("lacks", miss.lacks(), json);
        json.writeEndObject();
    }

    private void grant(NamedGrant grant) throws IOException {
        json.writeStringField("authorizer", JsonText.wellFormed(grant.authorizer()));
        json.writeStringField("source", JsonText.wellFormed(grant.source()));
        json.writeStringField("rule", JsonText.wellFormed(grant.rule()));
    }

    private void suggestion(Suggestion suggestion) throws IOException {
        json.writeObjectFieldStart("suggestion");
        string("authorizer", suggestion.authorizer());
        string("text", suggestion.text());
        string("note", suggestion.note());
        json.writeEndObject();
    }

    void leftOut(String name, Bounded<?> bounded) throws IOException {
        if (bounded.leftOut() > 0) {
            json.writeNumberField(name, bounded.leftOut());
        }
    }

    private void string(String name, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, JsonText.wellFormed(value));
        }
    }
}
