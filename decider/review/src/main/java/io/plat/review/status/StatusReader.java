package io.plat.review.status;

import com.fasterxml.jackson.core.JsonParser;
import io.plat.review.json.JsonFactories;
import io.plat.review.json.JsonObject;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.Status.Details;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lenient reader of a Status: another server may have more members and reasons, and a misread member only affects the message. Members of another
 * type than expected count as absent, and the last of duplicates counts.
 */
final class StatusReader {
    private StatusReader() {}

    static Optional<Status> read(byte[] body) {
        try (JsonParser json = StatusCodec.JSON.createParser(JsonFactories.utf8(body, body.length))) {
            return read(JsonObject.of(JsonObject.document(json)));
        } catch (IOException e) {
            // Reading from memory: only malformed content fails.
            return Optional.empty();
        }
    }

    private static Optional<Status> read(JsonObject status) {
        int code = status.number("code");
        if (!status.text("kind").equals("Status")
                || status.text("status").equals("Success")
                || code < 400
                || code > 599) {
            return Optional.empty();
        }
        return Optional.of(new Status(
                code,
                reasonOf(status.text("reason"), code),
                status.text("message"),
                status.members().get("details") instanceof Map<?, ?> ? details(status.object("details")) : null,
                status.object("metadata").text("continue")));
    }

    private static Details details(JsonObject details) {
        List<Cause> causes = details.objects("causes").stream()
                .map(cause -> new Cause(cause.text("reason"), cause.text("message"), cause.text("field")))
                .toList();
        return new Details(
                details.text("name"),
                details.text("group"),
                details.text("kind"),
                details.text("uid"),
                causes,
                Math.max(0, details.number("retryAfterSeconds")));
    }

    /** Returns the reason with that name; for an unknown one the reason of the code. */
    private static StatusReason reasonOf(String word, int code) {
        List<StatusReason> reasons = Arrays.asList(StatusReason.values());
        return reasons.stream()
                .filter(reason -> reason.word().equals(word))
                .findFirst()
                .or(() ->
                        reasons.stream().filter(reason -> reason.code() == code).findFirst())
                .orElse(code < 500 ? StatusReason.BAD_REQUEST : StatusReason.INTERNAL_ERROR);
    }
}
