package io.plat.cli.server;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.cli.output.JsonDocument;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server's response to a review of any kind. Nothing is defaulted: a response without its type, with duplicate members, or of another type is
 * invalid.
 */
public final class ReviewAnswer {
    private ReviewAnswer() {}

    /** A server's response is not the requested review. The message is one line. */
    public static final class NoReviewException extends Exception {
        private static final long serialVersionUID = 1L;

        NoReviewException(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Returns the {@code status} of a response with this kind and version.
     *
     * @throws NoReviewException if it is not
     */
    static Map<?, ?> status(byte[] answer, String kind, String apiVersion) throws NoReviewException {
        Map<?, ?> members = read(answer);
        require("kind", kind, members);
        require("apiVersion", apiVersion, members);
        if (!members.containsKey("status")) {
            throw new NoReviewException("status: missing from the answer");
        }
        return object("status", members.get("status"));
    }

    /**
     * Returns {@code status.allowed} of a response; null if it is missing.
     *
     * @param required whether it must not be missing
     */
    public static @Nullable Boolean allowed(byte[] answer, String kind, String apiVersion, boolean required)
            throws NoReviewException {
        Map<?, ?> status = status(answer, kind, apiVersion);
        if (status.containsKey("allowed")) {
            if (status.get("allowed") instanceof Boolean allowed) {
                return allowed;
            }
            throw unexpected("status.allowed", "true or false");
        }
        if (required) {
            throw new NoReviewException("status.allowed: missing from the answer");
        }
        return null;
    }

    private static Map<?, ?> read(byte[] answer) throws NoReviewException {
        try (JsonParser json = JsonDocument.parser(answer).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)) {
            Object read = json.nextToken() == JsonToken.START_OBJECT ? JsonDocument.value(json) : null;
            Map<?, ?> members = object("the answer", read);
            if (json.nextToken() != null) {
                throw new NoReviewException("unexpected content after the answer");
            }
            return members;
        } catch (JsonProcessingException e) {
            throw new NoReviewException("the answer is not valid JSON: " + JsonText.message(e));
        } catch (IOException e) {
            throw new NoReviewException("the answer is not valid JSON");
        }
    }

    private static void require(String member, String expected, Map<?, ?> members) throws NoReviewException {
        String actual = members.containsKey(member) ? string(member, members.get(member)) : "";
        if (!actual.equals(expected)) {
            throw new NoReviewException(member + ": expected " + Quoted.of(expected) + ", found " + Quoted.of(actual));
        }
    }

    /** Returns a required object member. */
    static Map<?, ?> object(String what, @Nullable Object value) throws NoReviewException {
        if (value instanceof Map<?, ?> object) {
            return object;
        }
        throw unexpected(what, "an object");
    }

    /** Returns a required string member. */
    static String string(String what, @Nullable Object value) throws NoReviewException {
        if (value instanceof String text) {
            return text;
        }
        throw unexpected(what, "a string");
    }

    /** Returns a list of strings; {@code null} is an empty one, as some encoders write it. */
    static List<String> strings(String what, @Nullable Object value) throws NoReviewException {
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> items)) {
            throw unexpected(what, "a list of strings");
        }
        List<String> strings = new ArrayList<>();
        for (Object item : items) {
            strings.add(string(what, item));
        }
        return strings;
    }

    private static NoReviewException unexpected(String what, String expected) {
        return new NoReviewException(what + ": expected " + expected);
    }
}
