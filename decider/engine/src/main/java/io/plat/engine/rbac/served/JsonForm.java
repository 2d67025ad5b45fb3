package io.plat.engine.rbac.served;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.RbacKind;
import io.plat.review.json.JsonFactories;
import io.plat.review.source.Quoted;
import java.io.IOException;

/** Role objects in JSON, read as a stream. */
final class JsonForm implements ServedForm {
    static final String MEDIA_TYPE = "application/json";
    static final JsonForm INSTANCE = new JsonForm();

    private static final JsonFactory JSON = JsonFactories.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(200)
                    .maxStringLength(4 << 20)
                    .maxNameLength(64 << 10)
                    .build())
            .build();

    private JsonForm() {}

    /** Reads one document. */
    @FunctionalInterface
    private interface Reading<T> {
        T read(JsonParser json) throws IOException, MalformedRolesException;
    }

    @Override
    public ServedPage page(RbacKind kind, byte[] body, int length) throws MalformedRolesException {
        return read(body, length, json -> new JsonPage(kind, new Interned()).read(json));
    }

    @Override
    public ServedEvent event(RbacKind kind, byte[] frame) throws MalformedRolesException {
        return read(frame, frame.length, json -> new JsonEvent(kind).read(json));
    }

    @Override
    public ServedEvent.Failure status(byte[] body, int length) throws MalformedRolesException {
        return read(body, length, json -> JsonEvent.status(json, new JsonMembers(json, what -> {})));
    }

    @Override
    public Frames frames(int longest) {
        return new LineFrames(longest);
    }

    private static <T> T read(byte[] bytes, int length, Reading<T> reading) throws MalformedRolesException {
        try (JsonParser json = JSON.createParser(JsonFactories.utf8(bytes, length))) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedRolesException("expected a JSON object");
            }
            T read = reading.read(json);
            if (json.nextToken() != null) {
                throw new MalformedRolesException("something follows the JSON object");
            }
            return read;
        } catch (IOException malformed) {
            // Reading from memory: only malformed content fails. The parser's words quote the content; its place is
            // enough.
            throw new MalformedRolesException("not well-formed JSON" + place(malformed));
        }
    }

    private static String place(IOException malformed) {
        return malformed instanceof JsonProcessingException json && json.getLocation() != null
                ? " at character " + json.getLocation().getCharOffset()
                : ": " + Quoted.oneLine(String.valueOf(malformed.getMessage()));
    }
}
