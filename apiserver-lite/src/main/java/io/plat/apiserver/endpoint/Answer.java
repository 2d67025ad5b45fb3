package io.plat.apiserver.endpoint;

import io.plat.apiserver.representation.Body;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a request is answered with.
 *
 * @param code the HTTP status code
 * @param contentType the media type of the body
 * @param headers further header fields, each with its values
 * @param body the body
 */
public record Answer(int code, String contentType, Map<String, List<String>> headers, Body body) implements Served {
    /** The media type of most answers. */
    public static final String JSON = "application/json";

    public Answer {
        Objects.requireNonNull(contentType);
        headers = Map.copyOf(headers);
        Objects.requireNonNull(body);
    }

    /** Text of some media type. */
    public static Answer text(int code, String contentType, String text) {
        return new Answer(code, contentType, Map.of(), Body.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** This answer with one more header field. */
    public Answer with(String header, List<String> values) {
        Map<String, List<String>> more = new java.util.LinkedHashMap<>(headers);
        more.put(header, List.copyOf(values));
        return new Answer(code, contentType, more, body);
    }
}
