package io.plat.engine.whatif;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.engine.Authorizer;
import io.plat.engine.access.AccessRow;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.access.PolicyChange;
import io.plat.engine.access.RowJson;
import io.plat.engine.access.TooComplexException;
import io.plat.review.ChangeReview;
import io.plat.review.codec.ResponseDocument;
import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;

/** Responses to AccessChanges: the exact difference of an edited policy, by the algebra of policies. */
public final class ChangePreview {
    /** Maximum number of rows per direction. */
    static final int MAX_ROWS = 2_000;

    /** Maximum number of objects of a policy; larger ones are compared offline, by {@code plat diff}. */
    static final long MAX_OBJECTS = 50_000;

    private static final int MAX_CAUSES = 100;

    private ChangePreview() {}

    /**
     * Returns the response as JSON in UTF-8.
     *
     * @throws StatusException 422 with every problem of the request; 413 if the policies are too large or too entangled
     */
    public static byte[] of(ChangeReview review, Authorizer authorizer) throws StatusException {
        EffectivePolicy now = EffectivePolicy.of(authorizer);
        EditedPolicy edited = edited(review, now);
        if (now.size() + edited.policy().size() > 2 * MAX_OBJECTS) {
            throw tooLarge("the policy has more than " + MAX_OBJECTS + " lines, roles and bindings");
        }
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary();
        try {
            PolicyChange change =
                    PolicyChange.between(now.access(vocabulary), edited.policy().access(vocabulary));
            return encode(review, change, edited);
        } catch (TooComplexException entangled) {
            throw tooLarge(String.valueOf(entangled.getMessage()));
        }
    }

    private static StatusException tooLarge(String cause) {
        return new StatusException(
                StatusReason.REQUEST_ENTITY_TOO_LARGE, cause + ": compare the files with plat diff instead");
    }

    private static EditedPolicy edited(ChangeReview review, EffectivePolicy now) throws StatusException {
        try {
            return EditedPolicy.of(now, review);
        } catch (ProblemsException e) {
            List<Status.Cause> causes = e.problems().stream()
                    .limit(MAX_CAUSES)
                    .map(problem -> new Status.Cause(
                            "FieldValueInvalid",
                            problem.toString(),
                            "spec." + problem.where().file()))
                    .toList();
            throw new StatusException(Status.of(
                            StatusReason.INVALID, e.problems().getFirst().toString())
                    .withDetails(new Status.Details("", review.version().group(), ChangeReview.KIND, "", causes, 0)));
        }
    }

    private static byte[] encode(ChangeReview review, PolicyChange change, EditedPolicy edited) {
        return ResponseDocument.of(ChangeReview.KIND, review.version(), json -> {
            rows("granted", change.granted(), json);
            rows("revoked", change.revoked(), json);
            List<String> warnings =
                    edited.warnings().stream().map(Problem::toString).toList();
            ResponseDocument.strings("warnings", warnings, json);
            ResponseDocument.unexplained(edited.policy().unexplained(), json);
        });
    }

    private static void rows(String name, SortedMap<SubjectName, AccessSet> gained, JsonGenerator json)
            throws IOException {
        int reported = 0;
        long leftOut = 0;
        json.writeArrayFieldStart(name);
        for (var subject : gained.entrySet()) {
            for (AccessRow row : subject.getValue().rows()) {
                if (reported == MAX_ROWS) {
                    leftOut++;
                } else {
                    reported++;
                    json.writeStartObject();
                    json.writeFieldName("subject");
                    RowJson.write(subject.getKey(), json);
                    json.writeStringField("text", JsonText.wellFormed(row.text()));
                    RowJson.members(row, json);
                    json.writeEndObject();
                }
            }
        }
        json.writeEndArray();
        if (leftOut > 0) {
            json.writeNumberField(name + "LeftOut", leftOut);
        }
    }
}
