package io.plat.apiserver.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.ChargedBytes;
import io.plat.apiserver.memory.RequestLimitException;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.tree.Json;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writer of a document that is generated in parts. Each path and schema is written once. A document of version 2 is cached, and its size
 * counts towards the limit on definitions; others are charged to the request.
 */
final class DocumentWriter {
    /** Maximum size of a document; only definitions that are older than the limit on them can exceed it. */
    private static final long MAX_BYTES = Math.max(Runtime.getRuntime().maxMemory() / 16, 8 << 20);

    private final boolean plain;
    private final Members paths;
    private final Members schemas;
    private final ObjectNode head = JsonNodeFactory.instance.objectNode();

    /** @param plain whether it is one of version 2 */
    DocumentWriter(boolean plain) {
        this.plain = plain;
        this.paths = new Members(plain ? new ByteArrayOutputStream() : new ChargedBytes(1024));
        this.schemas = new Members(plain ? new ByteArrayOutputStream() : new ChargedBytes(1024));
    }

    /** Members of an object as JSON, without the braces. */
    private record Members(ByteArrayOutputStream bytes, Set<String> names) {
        Members(ByteArrayOutputStream bytes) {
            this(bytes, new HashSet<>());
        }

        void add(JsonNode object) throws JsonProcessingException {
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                if (names.add(member.getKey())) {
                    String name = Json.STORED.writeValueAsString(member.getKey());
                    bytes.writeBytes(utf8((bytes.size() > 0 ? "," : "") + name + ":"));
                    bytes.writeBytes(Json.STORED.writeValueAsBytes(member.getValue()));
                }
            }
        }
    }

    /** Adds a part, except for paths and schemas that have already been written. */
    void add(ObjectNode document) {
        try {
            paths.add(document.path("paths"));
            schemas.add(
                    plain
                            ? document.path("definitions")
                            : document.path("components").path("schemas"));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        head.<ObjectNode>setAll(document.<ObjectNode>without(List.of("paths", "definitions", "components")));
        int size = paths.bytes().size() + schemas.bytes().size();
        if (size > MAX_BYTES) {
            throw new RequestLimitException(Status.of(
                    StatusReason.SERVICE_UNAVAILABLE,
                    "the document about the types of this server would take more than " + (MAX_BYTES >> 20) + " MiB"));
        }
        if (!plain) {
            // Cached documents are generated one at a time; of others, as many at once as there are processors.
            RequestMemory.current().compute(size);
        }
    }

    byte[] bytes() {
        String start = head.toString();
        byte[] before = utf8(start.substring(0, start.length() - 1) + ",\"paths\":{");
        byte[] between = utf8(plain ? "},\"definitions\":{" : "},\"components\":{\"schemas\":{");
        byte[] after = utf8(plain ? "}}" : "}}}");
        int size = before.length + between.length + after.length;
        return ByteBuffer.allocate(size + paths.bytes().size() + schemas.bytes().size())
                .put(before)
                .put(paths.bytes().toByteArray())
                .put(between)
                .put(schemas.bytes().toByteArray())
                .put(after)
                .array();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
