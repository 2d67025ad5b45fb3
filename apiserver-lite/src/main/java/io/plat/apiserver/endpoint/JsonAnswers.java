package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.IndentedJson;
import io.plat.apiserver.representation.Preferences;
import java.io.UncheckedIOException;

/** JSON documents as answers: as they are, or indented for people. */
final class JsonAnswers {
    private static final JsonMapper MAPPER = new JsonMapper();

    private JsonAnswers() {}

    /** A document, indented where the client wants that ({@code ?pretty}) or is one that people use by hand. */
    static Answer of(Call call, int code, byte[] document) {
        boolean pretty = Preferences.of(call.incoming()).pretty();
        return Answer.json(code, pretty ? IndentedJson.of(document) : document);
    }

    /** A tree as a document. */
    static Answer of(Call call, int code, JsonNode tree) {
        return of(call, code, bytes(tree));
    }

    static byte[] bytes(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a tree can be written", e);
        }
    }
}
