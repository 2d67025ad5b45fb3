package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.filter.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** JSON documents as answers: as they are, or indented for people. */
final class JsonAnswers {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final ObjectWriter PRETTY = MAPPER.writer(new DefaultPrettyPrinter(Separators.createDefaultInstance()
                    .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator(""))
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n")));

    /** Programs whose users read what they get; others parse it. */
    private static final List<String> READ_BY_PEOPLE = List.of("curl", "Wget", "Mozilla/5.0");

    private JsonAnswers() {}

    /** A document, indented where the client wants that ({@code ?pretty}) or is one that people use by hand. */
    static Answer of(Call call, int code, byte[] document) {
        if (!pretty(call)) {
            return Answer.json(code, document);
        }
        try {
            return Answer.json(code, PRETTY.writeValueAsBytes(MAPPER.readTree(document)));
        } catch (IOException e) {
            throw new UncheckedIOException("a document of the server's own is JSON", e);
        }
    }

    /** A tree as a document. */
    static Answer of(Call call, int code, JsonNode tree) {
        try {
            return Answer.json(code, pretty(call) ? PRETTY.writeValueAsBytes(tree) : MAPPER.writeValueAsBytes(tree));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a tree can be written", e);
        }
    }

    private static boolean pretty(Call call) {
        if (call.info().query().first("pretty").isPresent()) {
            return call.info().query().flag("pretty");
        }
        String agent = call.incoming().header("User-Agent");
        return READ_BY_PEOPLE.stream().anyMatch(agent::startsWith);
    }
}
