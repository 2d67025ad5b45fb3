package io.plat.apiserver.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * JSON within a value that a client chose, such as an annotation: the tree takes up to forty times the memory of its text, which was
 * charged as a string.
 */
public final class ClientJson {
    private ClientJson() {}

    /**
     * Parses a text.
     *
     * @param trees number of trees of about this size that the caller builds of it, itself included
     * @return a missing node for an empty text
     * @throws IOException if it is not JSON
     * @throws RequestLimitException if the request may not take that much memory
     */
    public static JsonNode read(JsonMapper mapper, String text, int trees) throws IOException {
        return read(mapper, text.getBytes(StandardCharsets.UTF_8), trees);
    }

    /** Equivalent of {@link #read(JsonMapper, String, int)} for UTF-8. */
    public static JsonNode read(JsonMapper mapper, byte[] text, int trees) throws IOException {
        RequestMemory.current().charge(trees * TreeSize.of(text));
        return mapper.readTree(text);
    }
}
