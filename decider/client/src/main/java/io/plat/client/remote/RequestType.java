package io.plat.client.remote;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.client.remote.Reply.Kind;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * A type of request.
 *
 * @param url returns its URL for that of the endpoint
 * @param maxBytes maximum size of the response, in bytes
 * @param <T> the decoded response
 */
public record RequestType<T>(UnaryOperator<URI> url, int maxBytes, Decoder<T> decoder) {
    private static final int MAX_WAIT_SECONDS = 3600;
    private static final String REVISION = "Policy-Revision";

    /** Decoder of a response. */
    @FunctionalInterface
    public interface Decoder<T> {
        /**
         * Decodes the body of a response.
         *
         * @throws MalformedAnswerException if it is not the expected answer
         */
        T decode(byte[] body) throws MalformedAnswerException;
    }

    /** Reads the response to a request of this type. */
    Reply<T> reply(HttpResponse response) throws IOException {
        byte[] body = body(response);
        int code = response.code();
        if (code >= 200 && code < 300) {
            return answer(response, body);
        }
        String reason = "HTTP " + code + message(body);
        if (code == 408 || code == 429 || code >= 500) {
            return new Reply.Failure<>(
                    code >= 502 && code <= 504 ? Kind.DOWN : Kind.BUSY, reason, retryAfter(response));
        }
        return new Reply.Failure<>(Kind.FAILED, code < 400 ? reason + ", and redirects are not followed" : reason);
    }

    /** Reads the body. An oversized body fails like an unreadable one: the connection is closed, not read to the end. */
    private byte[] body(HttpResponse response) throws IOException {
        byte[] body = response.body().readNBytes(maxBytes + 1);
        if (body.length > maxBytes) {
            throw new IOException("it has more than " + maxBytes + " bytes");
        }
        return body;
    }

    private Reply<T> answer(HttpResponse response, byte[] body) {
        String mediaType = response.header("Content-Type", "");
        if (!isJson(mediaType)) {
            return new Reply.Failure<>(
                    Kind.FAILED,
                    "expected an answer of type application/json, found " + SanitizedText.quoted(mediaType));
        }
        try {
            T answer = decoder.decode(body);
            return new Reply.Answered<>(answer, RevisionName.of(response.header(REVISION, "")));
        } catch (MalformedAnswerException e) {
            return new Reply.Failure<>(Kind.FAILED, "HTTP " + response.code() + ": " + e.getMessage());
        }
    }

    /** Returns whether a media type is JSON; a missing one counts as JSON, as in kube-apiserver; parameters are ignored. */
    private static boolean isJson(String mediaType) {
        int end = mediaType.indexOf(';');
        String media =
                (end < 0 ? mediaType : mediaType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return media.isEmpty() || media.equals("application/json");
    }

    /** Returns the message of a Status after a colon; {@code ""} if the body is not a Status. */
    private static String message(byte[] body) {
        String message = "";
        boolean status = false;
        try (JsonParser json = WireJson.parser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return "";
            }
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                if (name.equals("message") && value == JsonToken.VALUE_STRING) {
                    message = json.getText();
                } else if (name.equals("kind")) {
                    status = "Status".equals(json.getText());
                }
                json.skipChildren();
            }
        } catch (IOException e) {
            return "";
        }
        return status ? ": " + SanitizedText.of(message) : "";
    }

    private static Duration retryAfter(HttpResponse response) {
        String value = response.header("Retry-After", "0");
        // Dates, the other form, are ignored, as they require synchronized clocks.
        boolean seconds = value.length() <= 4 && value.chars().allMatch(c -> c >= '0' && c <= '9') && !value.isEmpty();
        return Duration.ofSeconds(seconds ? Math.min(Integer.parseInt(value), MAX_WAIT_SECONDS) : 0);
    }
}
