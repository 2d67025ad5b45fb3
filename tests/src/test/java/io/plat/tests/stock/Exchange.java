package io.plat.tests.stock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request and kube-apiserver's response.
 *
 * @param line line of the recording, from 1
 * @param area kind of request, such as {@code patch apply}
 * @param who name of the client certificate; {@code anonymous} for none
 * @param body bytes to send, as ISO 8859-1; empty for none
 * @param answer the recorded response
 */
record Exchange(
        int line,
        String area,
        String who,
        String method,
        String path,
        Map<String, String> headers,
        String body,
        Answer answer) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_BODY = 20_000;

    /** Parses a line of a recording. */
    static Exchange parse(int line, String text) {
        try {
            JsonNode node = JSON.readTree(text);
            Map<String, String> headers = new LinkedHashMap<>();
            node.path("headers")
                    .properties()
                    .forEach(header ->
                            headers.put(header.getKey(), header.getValue().asText()));
            return new Exchange(
                    line,
                    node.path("area").asText(),
                    node.path("who").asText("admin"),
                    node.path("method").asText(),
                    node.path("path").asText(),
                    headers,
                    body(node),
                    new Answer(
                            node.path("status").asInt(),
                            node.path("contentType").asText(""),
                            node.path("answer"),
                            Answer.texts(node.path("warnings"))));
        } catch (IOException e) {
            throw new UncheckedIOException("line " + line, e);
        }
    }

    private static String body(JsonNode exchange) throws IOException {
        if (exchange.has("rawBody")) {
            return exchange.path("rawBody").asText();
        }
        return exchange.hasNonNull("body")
                ? new String(JSON.writeValueAsBytes(exchange.path("body")), StandardCharsets.ISO_8859_1)
                : "";
    }

    /** Returns the request with a response, without a binary or long body. */
    Exchange answered(Answer raw) {
        boolean isJson = raw.contentType().matches("(application/(json|yaml)|text/).*|")
                && !raw.body().isMissingNode()
                && raw.body().toString().length() < MAX_BODY;
        JsonNode recorded = isJson ? raw.body() : NullNode.getInstance();
        Answer answered = new Answer(raw.status(), raw.contentType(), recorded, raw.warnings());
        return new Exchange(line, area, who, method, path, headers, body, answered);
    }

    /** Returns the text that {@link #parse} reads. */
    String format() {
        ObjectNode node = JSON.createObjectNode();
        node.put("area", area).put("who", who).put("method", method).put("path", path);
        node.put("rawBody", body).put("status", answer.status()).put("contentType", answer.contentType());
        node.set("headers", JSON.valueToTree(headers));
        node.set("warnings", JSON.valueToTree(answer.warnings()));
        node.set("answer", answer.body());
        return node.toString();
    }

    /** Returns a command that repeats the request on a server at {@code $SERVER}. */
    String command() {
        StringBuilder command = new StringBuilder("curl -sk -X ").append(method);
        command.append(" --cert ").append(who).append(".crt --key ").append(who).append(".key");
        headers.forEach((name, value) ->
                command.append(" -H '").append(name + ": " + value).append('\''));
        if (!body.isEmpty()) {
            if (!headers.containsKey("Content-Type")) {
                command.append(" -H 'Content-Type: application/json'");
            }
            command.append(" --data-binary '")
                    .append(body.replace("'", "'\\''"))
                    .append('\'');
        }
        return command.append(" \"$SERVER").append(path).append('"').toString();
    }
}
