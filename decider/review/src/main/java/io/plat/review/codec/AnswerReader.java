package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a remote decider answers. Nothing is filled in: an answer that does not say what it is, is none.
 *
 * @param <T> what the status says
 */
final class AnswerReader<T> {
    private static final int API_VERSION = 1;
    private static final int KIND = 2;
    private static final int STATUS = 4;

    private static final int ALLOWED = 1;
    private static final int DENIED = 2;
    private static final int REASON = 4;
    private static final int EVALUATION_ERROR = 8;

    private final Members members;
    private final StatusReader<T> statusReader;
    private String apiVersion = "";
    private String kind = "";
    private @Nullable T status;

    private AnswerReader(JsonParser json, StatusReader<T> statusReader) {
        this.members = new Members(json);
        this.statusReader = statusReader;
    }

    /** Reads a status whose object has begun, to its end. */
    @FunctionalInterface
    interface StatusReader<T> {
        T read(Members members) throws IOException, StatusException;
    }

    static <T> T read(byte[] bytes, int maxBytes, String askedKind, ReviewVersion asked, StatusReader<T> status)
            throws MalformedAnswerException {
        if (bytes.length > maxBytes) {
            throw new MalformedAnswerException("the answer is larger than " + maxBytes + " bytes");
        }
        Body body = new Body(bytes, 0, bytes.length);
        if (!body.isUtf8()) {
            throw new MalformedAnswerException("the answer is not valid UTF-8");
        }
        try (JsonParser json = body.parser()) {
            return new AnswerReader<>(json, status).answer(askedKind, asked);
        } catch (StatusException e) {
            throw new MalformedAnswerException(String.valueOf(e.getMessage()));
        } catch (JsonProcessingException e) {
            throw new MalformedAnswerException("the answer is not valid JSON: " + JsonText.message(e));
        } catch (IOException e) {
            throw new MalformedAnswerException("the answer is not valid JSON");
        }
    }

    private T answer(String askedKind, ReviewVersion asked) throws IOException, StatusException {
        JsonParser json = members.json;
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw members.wrongType("the answer", "a " + askedKind);
        }
        readMembers(json);
        if (json.nextToken() != null) {
            throw Members.malformed("unexpected content after the answer");
        }
        expect("kind", askedKind, kind);
        expect("apiVersion", asked.apiVersion(), apiVersion);
        if (status == null) {
            throw Members.malformed("status: missing from the answer");
        }
        return status;
    }

    private static void expect(String member, String expected, String found) throws StatusException {
        if (!found.equals(expected)) {
            throw Members.malformed(member + ": expected " + Quoted.of(expected) + ", found " + Quoted.of(found));
        }
    }

    private void readMembers(JsonParser json) throws IOException, StatusException {
        int seen = 0;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            members.value();
            switch (name) {
                case "apiVersion" -> {
                    seen = Members.once(seen, API_VERSION, name);
                    apiVersion = members.string(name);
                }
                case "kind" -> {
                    seen = Members.once(seen, KIND, name);
                    kind = members.string(name);
                }
                case "status" -> {
                    seen = Members.once(seen, STATUS, name);
                    status = members.object(name) ? statusReader.read(members) : null;
                }
                default -> members.skip();
            }
        }
    }

    static ReviewStatus status(Members members) throws IOException, StatusException {
        JsonParser json = members.json;
        boolean allowed = false;
        boolean denied = false;
        String reason = "";
        String evaluationError = "";
        int seen = 0;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            members.value();
            switch (name) {
                case "allowed" -> {
                    seen = Members.once(seen, ALLOWED, "status.allowed");
                    if (json.currentToken() == JsonToken.VALUE_NULL) {
                        throw members.wrongType("status.allowed", "true or false");
                    }
                    allowed = members.bool("status.allowed");
                }
                case "denied" -> {
                    seen = Members.once(seen, DENIED, "status.denied");
                    denied = members.bool("status.denied");
                }
                case "reason" -> {
                    seen = Members.once(seen, REASON, "status.reason");
                    reason = members.string("status.reason");
                }
                case "evaluationError" -> {
                    seen = Members.once(seen, EVALUATION_ERROR, "status.evaluationError");
                    evaluationError = members.string("status.evaluationError");
                }
                default -> members.skip();
            }
        }
        if ((seen & ALLOWED) == 0) {
            throw Members.malformed("status.allowed: missing from the answer");
        }
        if (allowed && denied) {
            throw Members.malformed("status: both allowed and denied");
        }
        return new ReviewStatus(allowed, denied, reason, evaluationError);
    }
}
