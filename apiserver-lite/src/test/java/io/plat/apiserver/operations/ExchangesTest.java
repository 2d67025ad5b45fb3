package io.plat.apiserver.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.tree.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Exchanges recorded with kube-apiserver, repeated in order with the operations: equal codes, objects and messages. Generated values (uids,
 * versions, times, names) are paired at their first occurrence, and must then be consistent.
 */
final class ExchangesTest {
    /** Within one second, as timestamps of the recording may be in the same second. */
    private static final Api API = new Api(
            EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT)),
            new ObjectIdentity(Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC), new Random(1)));

    /** Generated values of the recording and of this server. */
    private final Map<String, String> counterparts = new HashMap<>();

    @AfterAll
    static void close() {
        API.close();
    }

    @TestFactory
    Stream<DynamicTest> exchanges() throws IOException {
        var tests = new ArrayList<DynamicTest>();
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("exchanges.jsonl"))) {
            for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
                ObjectNode exchange = Api.tree(line);
                tests.add(DynamicTest.dynamicTest(exchange.path("name").asText(), () -> replay(exchange)));
            }
        }
        return tests.stream();
    }

    private void replay(ObjectNode exchange) {
        Api.Answer answer = send(exchange);
        if (!exchange.has("status")) {
            assertThat(answer.code()).isLessThan(300);
            return;
        }
        JsonNode expected = exchange.path("answer");
        learn(expected, answer.body());
        assertThat(answer.body()).isEqualTo(mapped(expected));
        assertThat(answer.code()).isEqualTo(exchange.path("status").asInt());
        List<String> warnings = answer.warnings().stream()
                .map(text -> "299 - " + FieldErrorMessages.quoted(text))
                .toList();
        assertThat(String.join("", warnings)).isEqualTo(exchange.path("warning").asText());
    }

    private Api.Answer send(ObjectNode exchange) {
        String[] parts = exchange.path("path").asText().split("\\?", 2);
        Map<String, String> query = query(parts.length == 2 ? parts[1] : "");
        JsonNode body = mapped(exchange.path("body"));
        String text = body.isTextual() ? body.asText() : body.toString();
        String path = parts[0];
        return switch (exchange.path("method").asText()) {
            case "POST" -> API.post(path, text, writeOptions(query));
            case "PUT" -> API.put(path, text, writeOptions(query));
            case "PATCH" ->
                API.patch(
                        path,
                        PatchFormat.of(exchange.path("contentType").asText()).orElseThrow(),
                        text,
                        writeOptions(query));
            case "DELETE" ->
                API.answer(() -> API.operations.delete(
                        API.target(path),
                        body instanceof ObjectNode object ? DeleteOptions.of(object) : DeleteOptions.DEFAULT));
            default -> query.isEmpty() ? API.get(path) : API.list(path, listOptions(query));
        };
    }

    private static Map<String, String> query(String text) {
        var query = new HashMap<String, String>();
        for (String part : text.split("&", -1)) {
            String[] pair = part.split("=", 2);
            if (pair.length == 2) {
                query.put(pair[0], URLDecoder.decode(pair[1], UTF_8));
            }
        }
        return query;
    }

    private static WriteOptions writeOptions(Map<String, String> query) {
        return new WriteOptions(
                "All".equals(query.get("dryRun")),
                switch (query.getOrDefault("fieldValidation", "Warn")) {
                    case "Strict" -> WriteOptions.FieldValidation.STRICT;
                    case "Ignore" -> WriteOptions.FieldValidation.IGNORE;
                    default -> WriteOptions.FieldValidation.WARN;
                });
    }

    private static ListOptions listOptions(Map<String, String> query) {
        return new ListOptions(
                query.getOrDefault("labelSelector", ""),
                query.getOrDefault("fieldSelector", ""),
                query.getOrDefault("resourceVersion", ""),
                "",
                0,
                "",
                null,
                false);
    }

    /** Pairs generated values, if both have one. */
    private void learn(JsonNode theirs, JsonNode ours) {
        JsonNode metadata = theirs.path("metadata");
        for (String field : List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "name")) {
            boolean generated = !field.equals("name") || metadata.has("generateName");
            if (generated && metadata.has(field) && ours.path("metadata").has(field)) {
                counterparts.putIfAbsent(
                        metadata.path(field).asText(),
                        ours.path("metadata").path(field).asText());
            }
        }
        if (theirs.path("details").has("uid")) {
            counterparts.putIfAbsent(
                    theirs.path("details").path("uid").asText(),
                    ours.path("details").path("uid").asText());
        }
        String uid = "(?s).*UID in record \\(([-0-9a-f]+)\\).*";
        String message = theirs.path("message").asText();
        if (message.matches(uid)) {
            counterparts.putIfAbsent(
                    message.replaceFirst(uid, "$1"),
                    ours.path("message").asText().replaceFirst(uid, "$1"));
        }
        String current = ".*current: ([0-9]+)";
        if (message.matches(current)) {
            counterparts.putIfAbsent(
                    message.replaceFirst(current, "$1"),
                    ours.path("message").asText().replaceFirst(current, "$1"));
        }
    }

    private JsonNode mapped(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode mapped = Json.object();
            object.properties().forEach(field -> mapped.set(field.getKey(), mapped(field.getValue())));
            return mapped;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode mapped = Json.MAPPER.createArrayNode();
            array.forEach(item -> mapped.add(mapped(item)));
            return mapped;
        }
        return node.isTextual() ? TextNode.valueOf(mapped(node.asText())) : node;
    }

    private String mapped(String text) {
        String mapped = counterparts.get(text);
        if (mapped != null) {
            return mapped;
        }
        String result = text;
        for (Map.Entry<String, String> pair : counterparts.entrySet()) {
            if (pair.getKey().length() > 5 && !text.startsWith("{")) {
                result = result.replace(pair.getKey(), pair.getValue());
            }
        }
        return result;
    }
}
