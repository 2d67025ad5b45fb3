package io.plat.engine.decided;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.plat.engine.Decision;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.json.JsonFactories;
import io.plat.review.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writer of decisions as one line of JSON each. Every spec is written in the form of {@code authorization.k8s.io/v1}, regardless of the version of
 * the review, with the effective user and groups, so that it can be replayed. A line is ASCII without control characters: safe for logs and
 * terminals.
 *
 * @param allModes the authorizer to report if no single mode allowed: the only mode, or {@code Union}
 */
public record DecisionLine(String allModes, SpecMask mask) {
    private static final JsonFactory JSON = JsonFactories.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private record Outcome(boolean allowed, String reason, String authorizer, String error) {}

    private Outcome outcome(Decision decision, SpecMask.Masked masked) {
        return switch (decision) {
            case Decision.Allow allow ->
                new Outcome(true, masked.reason(allow.grant()), allow.grant().authorizer(), "");
            case Decision.Deny deny -> new Outcome(false, masked.text(deny.reason()), allModes, "");
            case Decision.NoOpinion silent -> new Outcome(false, masked.text(silent.reason()), allModes, "");
            case Decision.Undecided undecided -> new Outcome(false, "", allModes, masked.text(failure(undecided)));
        };
    }

    private static String failure(Decision.Undecided undecided) {
        if (!undecided.reason().isEmpty()) {
            return undecided.reason();
        }
        return switch (undecided.cause()) {
            case FAILED -> "the request could not be decided";
            case NOT_LOADED -> "the policy has not been loaded yet";
        };
    }

    /** Appends the line of a decision, with its line feed. */
    public void write(DecisionRecord decided, ByteArrayOutputStream lines) {
        SpecMask.Masked masked = mask.apply(decided.attributes());
        try (JsonGenerator json = JSON.createGenerator(lines)) {
            json.writeStartObject();
            json.writeStringField("id", decided.id());
            json.writeStringField(
                    "time", decided.time().truncatedTo(ChronoUnit.MICROS).toString());
            json.writeStringField("client", JsonText.wellFormed(masked.name(decided.client())));
            ReviewCodec.writeSpec(ReviewVersion.K8S_V1, masked.shown(), json);
            write(decided.decision(), decided.policyRevision(), decided.nanos(), masked, json);
            ShadowSlot.@Nullable Shadowed shadowed = decided.shadow().take();
            if (shadowed != null) {
                json.writeObjectFieldStart("shadow");
                write(shadowed.decision(), shadowed.policyRevision(), -1, masked, json);
                json.writeEndObject();
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
        lines.write('\n');
    }

    /** Writes the members of a decision; negative nanoseconds are unknown. */
    private void write(Decision decision, String policyRevision, long nanos, SpecMask.Masked masked, JsonGenerator json)
            throws IOException {
        Outcome outcome = outcome(decision, masked);
        json.writeBooleanField("allowed", outcome.allowed());
        json.writeStringField("reason", JsonText.wellFormed(outcome.reason()));
        json.writeStringField("authorizer", JsonText.wellFormed(outcome.authorizer()));
        json.writeStringField("policyRevision", policyRevision);
        if (nanos >= 0) {
            json.writeNumberField("durationMicros", nanos / 1000);
        }
        json.writeStringField("error", JsonText.wellFormed(outcome.error()));
    }
}
