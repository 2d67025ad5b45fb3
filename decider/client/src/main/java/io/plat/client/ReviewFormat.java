package io.plat.client;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.client.remote.MalformedAnswerException;
import io.plat.client.remote.SanitizedText;
import io.plat.client.remote.WireJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** SubjectAccessReviews of {@code authorization.k8s.io/v1} as JSON. */
final class ReviewFormat {
    /** Maximum size of a response, in bytes. */
    static final int MAX_BYTES = 3 << 20;

    private static final String KIND = "SubjectAccessReview";
    private static final String VERSION = "authorization.k8s.io/v1";

    private ReviewFormat() {}

    /** Encodes a request: only the spec, without empty members. */
    static byte[] encode(Access access) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(512);
        try (JsonGenerator json = WireJson.generator(body)) {
            json.writeStartObject();
            json.writeStringField("kind", KIND);
            json.writeStringField("apiVersion", VERSION);
            json.writeObjectFieldStart("spec");
            json.writeObjectFieldStart(access.names() == Access.PATH ? "nonResourceAttributes" : "resourceAttributes");
            for (int i = 0; i < access.names().size(); i++) {
                text(access.names().get(i), access.value(i), json);
            }
            json.writeEndObject();
            user(access.user(), json);
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return body.toByteArray();
    }

    private static void user(Access.User user, JsonGenerator json) throws IOException {
        text("user", user.name(), json);
        if (!user.groups().isEmpty()) {
            texts("groups", user.groups(), json);
        }
        if (!user.extra().isEmpty()) {
            json.writeObjectFieldStart("extra");
            for (Map.Entry<String, List<String>> extra : user.extra().entrySet()) {
                texts(wellFormed(extra.getKey()), extra.getValue(), json);
            }
            json.writeEndObject();
        }
        text("uid", user.uid(), json);
    }

    private static void text(String name, String value, JsonGenerator json) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, wellFormed(value));
        }
    }

    private static void texts(String name, List<String> values, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(wellFormed(value));
        }
        json.writeEndArray();
    }

    /** Returns the text with every unpaired surrogate replaced by U+FFFD, as in Kubernetes. */
    private static String wellFormed(String text) {
        if (text.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
            return text;
        }
        StringBuilder replaced = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
                .forEach(replaced::appendCodePoint);
        return replaced.toString();
    }

    /**
     * Decodes an answer, without its revision.
     *
     * @throws MalformedAnswerException unless it is a review of the same kind and version with a consistent status
     */
    static Answer decode(byte[] body) throws MalformedAnswerException {
        String kind = "";
        String version = "";
        Answer answer = null;
        try (JsonParser json = WireJson.parser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedAnswerException("the answer: expected an object");
            }
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                if (name.equals("kind")) {
                    kind = string(json, name);
                } else if (name.equals("apiVersion")) {
                    version = string(json, name);
                } else if (name.equals("status") && value == JsonToken.START_OBJECT) {
                    answer = status(json);
                } else {
                    json.skipChildren();
                }
            }
            if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
                throw new MalformedAnswerException("the answer: expected one object");
            }
        } catch (IOException e) {
            throw new MalformedAnswerException("the answer: malformed JSON");
        }
        if (!kind.equals(KIND) || !version.equals(VERSION)) {
            throw new MalformedAnswerException("the answer: expected " + KIND + " of " + VERSION + ", found "
                    + SanitizedText.of(kind + " of " + version));
        }
        if (answer == null) {
            throw new MalformedAnswerException("status: missing from the answer");
        }
        return answer;
    }

    private static Answer status(JsonParser json) throws IOException, MalformedAnswerException {
        @Nullable Boolean allowed = null;
        boolean denied = false;
        String reason = "";
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            JsonToken value = json.nextToken();
            switch (name) {
                case "allowed", "denied" -> {
                    // Only false may be omitted or null.
                    boolean known = value == JsonToken.VALUE_TRUE || value == JsonToken.VALUE_FALSE;
                    if (!known && !(value == JsonToken.VALUE_NULL && name.equals("denied"))) {
                        throw new MalformedAnswerException("status." + name + ": expected true or false");
                    }
                    if (name.equals("allowed")) {
                        allowed = value == JsonToken.VALUE_TRUE;
                    } else {
                        denied = value == JsonToken.VALUE_TRUE;
                    }
                }
                case "reason", "evaluationError" -> {
                    String text = string(json, "status." + name);
                    reason = name.equals("reason") ? text : reason;
                }
                default -> json.skipChildren();
            }
        }
        if (allowed == null) {
            throw new MalformedAnswerException("status.allowed: missing from the answer");
        }
        if (allowed && denied) {
            throw new MalformedAnswerException("status: both allowed and denied");
        }
        return new Answer(allowed, SanitizedText.of(reason), "");
    }

    private static String string(JsonParser json, String name) throws IOException, MalformedAnswerException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return "";
        }
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw new MalformedAnswerException(name + ": expected a string");
        }
        return json.getText();
    }
}
