package io.plat.review.status;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.Status.Details;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Status leniently: it comes from another server, which may know more members and reasons, and the worst that can
 * happen is a poorer message. Members of another type than expected are skipped.
 */
final class StatusReader {
    private final JsonParser json;

    private String kind = "";
    private String status = "";
    private String message = "";
    private String reason = "";
    private String continueToken = "";
    private int code;
    private @Nullable Details details;

    private StatusReader(JsonParser json) {
        this.json = json;
    }

    static Optional<Status> read(byte[] body) {
        try (JsonParser json = StatusCodec.JSON.createParser(JsonFactories.utf8(body, body.length))) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            StatusReader reader = new StatusReader(json);
            reader.readMembers();
            return json.nextToken() == null ? reader.result() : Optional.empty();
        } catch (IOException e) {
            // Reading from memory: only malformed content fails.
            return Optional.empty();
        }
    }

    private Optional<Status> result() {
        if (!kind.equals("Status") || status.equals("Success") || code < 400 || code > 599) {
            return Optional.empty();
        }
        return Optional.of(new Status(code, reasonOf(reason, code), message, details, continueToken));
    }

    /** The reason with that word; for a word of another server the one that the code stands for. */
    private static StatusReason reasonOf(String word, int code) {
        for (StatusReason candidate : StatusReason.values()) {
            if (candidate.word().equals(word)) {
                return candidate;
            }
        }
        for (StatusReason candidate : StatusReason.values()) {
            if (candidate.code() == code) {
                return candidate;
            }
        }
        return code < 500 ? StatusReason.BAD_REQUEST : StatusReason.INTERNAL_ERROR;
    }

    private void readMembers() throws IOException {
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            switch (name) {
                case "kind" -> kind = text();
                case "status" -> status = text();
                case "message" -> message = text();
                case "reason" -> reason = text();
                case "code" -> code = number();
                case "details" -> details = details();
                case "metadata" -> metadata();
                default -> json.skipChildren();
            }
        }
    }

    private void metadata() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return;
        }
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            if (member.equals("continue")) {
                continueToken = text();
            } else {
                json.skipChildren();
            }
        }
    }

    private @Nullable Details details() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return null;
        }
        String name = "";
        String group = "";
        String detailsKind = "";
        String uid = "";
        List<Cause> causes = List.of();
        int retryAfterSeconds = 0;
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "name" -> name = text();
                case "group" -> group = text();
                case "kind" -> detailsKind = text();
                case "uid" -> uid = text();
                case "causes" -> causes = causes();
                case "retryAfterSeconds" -> retryAfterSeconds = Math.max(0, number());
                default -> json.skipChildren();
            }
        }
        return new Details(name, group, detailsKind, uid, causes, retryAfterSeconds);
    }

    private List<Cause> causes() throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            json.skipChildren();
            return List.of();
        }
        List<Cause> causes = new ArrayList<>();
        for (JsonToken token = json.nextToken(); token != JsonToken.END_ARRAY; token = json.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                causes.add(cause());
            } else {
                json.skipChildren();
            }
        }
        return causes;
    }

    private Cause cause() throws IOException {
        String causeReason = "";
        String causeMessage = "";
        String field = "";
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "reason" -> causeReason = text();
                case "message" -> causeMessage = text();
                case "field" -> field = text();
                default -> json.skipChildren();
            }
        }
        return new Cause(causeReason, causeMessage, field);
    }

    private String text() throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        json.skipChildren();
        return "";
    }

    private int number() throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT && json.getNumberType() == JsonParser.NumberType.INT) {
            return json.getIntValue();
        }
        json.skipChildren();
        return 0;
    }
}
