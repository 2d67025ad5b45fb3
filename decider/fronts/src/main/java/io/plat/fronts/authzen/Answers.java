package io.plat.fronts.authzen;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.engine.Decision;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Intake;
import io.plat.fronts.ResponseHeaders;
import io.plat.review.ReviewStatus;
import io.plat.review.codec.ResponseDocument;
import io.plat.review.status.Status;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encoder and sender of responses. */
final class Answers {
    private Answers() {}

    /**
     * The result of an evaluation.
     *
     * @param allowed the decision
     * @param reason the reason, or {@code ""}
     * @param error the failure if no decision was made, or null
     * @param id the id of the decision
     */
    record Evaluated(
            boolean allowed, String reason, @Nullable Status error, String id) {
        /** Returns the result of a decision; an undecided one is not allowed. */
        static Evaluated of(Decision decision, boolean reasons, String id) {
            return switch (DecisionResponse.of(decision, reasons)) {
                case DecisionResponse.Answered(ReviewStatus status) ->
                    new Evaluated(status.allowed(), status.reason(), null, id);
                case DecisionResponse.Failed(Status status) -> failed(status, id);
            };
        }

        static Evaluated failed(Status error, String id) {
            return new Evaluated(false, "", error, id);
        }

        void write(String revision, JsonGenerator json) throws IOException {
            json.writeBooleanField("decision", allowed);
            json.writeObjectFieldStart("context");
            if (!reason.isEmpty()) {
                json.writeStringField("reason", reason);
            }
            if (error != null) {
                json.writeObjectFieldStart("error");
                json.writeNumberField("status", error.code());
                json.writeStringField("message", error.message());
                json.writeEndObject();
            }
            json.writeStringField("decision_id", id);
            json.writeStringField("policy_revision", revision);
            json.writeEndObject();
        }
    }

    /** Sends the result of one evaluation. */
    static void send(Evaluated result, String revision, Intake.Exchange http) {
        send(ResponseDocument.written(json -> result.write(revision, json)), revision, http);
    }

    /** Sends the results of a batch. */
    static void send(List<Evaluated> results, String revision, Intake.Exchange http) {
        byte[] body = ResponseDocument.written(
                json -> ResponseDocument.objects("evaluations", results, json, result -> result.write(revision, json)));
        send(body, revision, http);
    }

    static void send(byte[] body, String revision, Intake.Exchange http) {
        http.response().getHeaders().put(ResponseHeaders.POLICY_REVISION, revision);
        http.answer(200, body);
    }
}
