package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.Suggestion;
import java.io.IOException;

/**
 * Writer of the status of explanations. The members of the contract are always written; omitted counts and unexplained members only if there are
 * any.
 */
record ExplanationWriter(JsonGenerator json) {
    void explanation(Explanation explanation) throws IOException {
        Findings findings = explanation.findings();
        json.writeBooleanField("allowed", explanation.allowed());
        ResponseDocument.text("reason", explanation.reason(), json);
        grants("grants", findings.grants());
        ResponseDocument.objects("nearMisses", findings.nearMisses().items(), json, miss -> {
            grant(miss.grant());
            ResponseDocument.strings("lacks", miss.lacks(), json);
        });
        leftOut("nearMissesLeftOut", findings.nearMisses());
        if (findings.suggestion() != null) {
            Suggestion suggestion = findings.suggestion();
            json.writeObjectFieldStart("suggestion");
            ResponseDocument.texts(
                    ExplanationReader.SUGGESTION, json, suggestion.authorizer(), suggestion.text(), suggestion.note());
            json.writeEndObject();
        }
        ResponseDocument.unexplained(findings.unexplained(), json);
    }

    void listing(SubjectListing listing) throws IOException {
        ResponseDocument.objects("subjects", listing.subjects().items(), json, subject -> {
            ResponseDocument.subject(subject.subject(), json);
            grants("through", subject.through());
        });
        leftOut("subjectsLeftOut", listing.subjects());
        ResponseDocument.unexplained(listing.unexplained(), json);
    }

    private void grants(String name, BoundedList<NamedGrant> grants) throws IOException {
        ResponseDocument.objects(name, grants.items(), json, this::grant);
        leftOut(name + "LeftOut", grants);
    }

    private void grant(NamedGrant grant) throws IOException {
        ResponseDocument.allTexts(ExplanationReader.GRANT, json, grant.authorizer(), grant.source(), grant.rule());
    }

    void leftOut(String name, BoundedList<?> bounded) throws IOException {
        if (bounded.leftOut() > 0) {
            json.writeNumberField(name, bounded.leftOut());
        }
    }
}
