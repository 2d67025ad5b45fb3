package io.plat.review.status;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.Status.Details;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lenient reader of a Status: another server may have more members and reasons, and a misread member only affects the message. Members of another
 * type than expected count as absent, and the last of duplicates counts.
 */
final class StatusReader {
    private StatusReader() {}

    static Optional<Status> read(byte[] body) {
        try (JsonParser json = StatusCodec.JSON.createParser(JsonFactories.utf8(body, body.length))) {
            json.nextToken();
            return value(json) instanceof Map<?, ?> status && json.nextToken() == null
                    ? read(status)
                    : Optional.empty();
        } catch (IOException e) {
            // Reading from memory: only malformed content fails.
            return Optional.empty();
        }
    }

    /** Reads a string, an int, an object or the objects of a list; null for anything else. */
    private static @Nullable Object value(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, @Nullable Object> members = new HashMap<>();
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                members.put(name, value(json));
            }
            return members;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Map<?, ?>> objects = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (value(json) instanceof Map<?, ?> object) {
                    objects.add(object);
                }
            }
            return objects;
        }
        if (token == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        return token == JsonToken.VALUE_NUMBER_INT && json.getNumberType() == JsonParser.NumberType.INT
                ? (Object) json.getIntValue()
                : null;
    }

    private static Optional<Status> read(Map<?, ?> status) {
        int code = number(status, "code");
        if (!text(status, "kind").equals("Status")
                || text(status, "status").equals("Success")
                || code < 400
                || code > 599) {
            return Optional.empty();
        }
        return Optional.of(new Status(
                code,
                reasonOf(text(status, "reason"), code),
                text(status, "message"),
                status.get("details") instanceof Map<?, ?> details ? details(details) : null,
                status.get("metadata") instanceof Map<?, ?> metadata ? text(metadata, "continue") : ""));
    }

    private static Details details(Map<?, ?> details) {
        List<Cause> causes = new ArrayList<>();
        if (details.get("causes") instanceof List<?> objects) {
            for (Object cause : objects) {
                Map<?, ?> members = (Map<?, ?>) cause;
                causes.add(new Cause(text(members, "reason"), text(members, "message"), text(members, "field")));
            }
        }
        return new Details(
                text(details, "name"),
                text(details, "group"),
                text(details, "kind"),
                text(details, "uid"),
                causes,
                Math.max(0, number(details, "retryAfterSeconds")));
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

    private static String text(Map<?, ?> members, String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    private static int number(Map<?, ?> members, String name) {
        return members.get(name) instanceof Integer number ? number : 0;
    }
}
