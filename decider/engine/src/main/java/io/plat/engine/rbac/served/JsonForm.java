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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
        return read(body, length, json -> page(kind, json));
    }

    private static ServedPage page(RbacKind kind, JsonParser json) throws IOException, MalformedRolesException {
        Interned strings = new Interned();
        Map<String, String> texts = new HashMap<>();
        List<ServedObject> items = new ArrayList<>();
        List<String> nameless = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        JsonMembers members = new JsonMembers(json, problems::add);
        members.object("list", name -> {
            switch (name) {
                case "apiVersion", "kind" -> texts.put(name, members.text(name));
                case "metadata" ->
                    members.object(name, field -> {
                        if (field.equals("resourceVersion") || field.equals("continue")) {
                            texts.put(field, members.text(field));
                        } else {
                            json.skipChildren();
                        }
                    });
                case "items" ->
                    members.list(name, () -> {
                        ObjectDraft draft = new ObjectDraft(kind, strings);
                        JsonObjectReader.read(json, draft);
                        draft.addTo(items, nameless);
                    });
                default -> json.skipChildren();
            }
        });
        TypeNames.require(TypeNames.list(kind), texts.getOrDefault("apiVersion", ""), texts.getOrDefault("kind", ""));
        if (!problems.isEmpty()) {
            throw new MalformedRolesException(problems.getFirst());
        }
        return new ServedPage(
                texts.getOrDefault("resourceVersion", ""), texts.getOrDefault("continue", ""), items, nameless);
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
        return Frames.lines(longest);
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
