package io.plat.engine.rbac.served;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.plat.engine.lookup.Interner;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.manifest.ObjectReader;
import io.plat.review.ApiGroups;
import io.plat.review.codec.MalformedResponseException;
import io.plat.review.json.JsonFactories;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.ScalarType;
import io.plat.review.source.SourceReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decoder of a server's responses about role objects, in JSON, which every API server supports. */
public final class ServedJson {
    /** Media type of all responses. */
    public static final String MEDIA_TYPE = "application/json";
    /** The requested version, which every Kubernetes server has. */
    private static final String API_VERSION = ApiGroups.RBAC + "/v1";

    private static final JsonFactory JSON = JsonFactories.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(200)
                    .maxStringLength(4 << 20)
                    .maxNameLength(4 << 20)
                    .build())
            .build();

    private static final Location NOWHERE = new Location("", 0);
    /** Number of digits of an HTTP status. */
    private static final int CODE_LENGTH = 3;

    private ServedJson() {}

    /** Reader of one document, from its opening brace. */
    @FunctionalInterface
    private interface Reading<T> {
        T read(JsonParser json) throws IOException, ProblemsException, MalformedResponseException;
    }

    /** Returns whether a header {@code Content-Type} names JSON; its parameters do not matter. */
    public static boolean isJson(String contentType) {
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).strip().equalsIgnoreCase(MEDIA_TYPE);
    }

    /**
     * Decodes a chunk of a list. Its items are read one after another, as a chunk may be much larger than a file.
     *
     * @param kind the requested type
     * @throws MalformedResponseException if it is not such a list
     */
    public static ServedPage page(RbacKind kind, byte[] body) throws MalformedResponseException {
        return read(body, json -> page(kind, json));
    }

    private static ServedPage page(RbacKind kind, JsonParser json)
            throws IOException, ProblemsException, MalformedResponseException {
        Interner strings = new Interner();
        List<ReceivedObject> items = new ArrayList<>();
        List<String> nameless = new ArrayList<>();
        Map<String, Mapping.Field> head = new LinkedHashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            JsonToken value = json.nextToken();
            switch (name) {
                case "apiVersion", "kind", "metadata" ->
                    head.put(name, new Mapping.Field(name, NOWHERE, SourceReader.readValue(json)));
                case "items" -> {
                    if (value != JsonToken.START_ARRAY && value != JsonToken.VALUE_NULL) {
                        throw new MalformedResponseException("items: expected a list");
                    }
                    while (value == JsonToken.START_ARRAY && json.nextToken() != JsonToken.END_ARRAY) {
                        List<Problem> problems = new ArrayList<>();
                        object(kind, SourceReader.readValue(json), strings, problems)
                                .ifPresentOrElse(items::add, () -> nameless.add(first(problems)));
                    }
                }
                default -> json.skipChildren();
            }
        }
        List<Problem> problems = new ArrayList<>();
        SourceFields list = new SourceFields(new Mapping(NOWHERE, head.values()), "", problems);
        requireType(kind.kind() + "List", list.string("apiVersion"), list.string("kind"));
        SourceFields metadata = list.mapping("metadata");
        ServedPage page =
                new ServedPage(metadata.string("resourceVersion"), metadata.string("continue"), items, nameless);
        if (!problems.isEmpty()) {
            throw new MalformedResponseException(first(problems));
        }
        return page;
    }

    /**
     * Decodes an event of a watch.
     *
     * @param kind the watched type
     * @param line the line of the event in the stream
     * @throws MalformedResponseException if it is not such an event, or the identity of its object is unknown
     */
    public static ServedEvent event(RbacKind kind, byte[] line) throws MalformedResponseException {
        List<Problem> problems = new ArrayList<>();
        SourceFields event = SourceFields.of(read(line, SourceReader::readValue), "", problems);
        String type = event.string("type");
        SourceNode object = event.node("object");
        if (type.isEmpty() || object == null) {
            throw new MalformedResponseException(
                    problems.isEmpty() ? "expected an event with a type and an object" : first(problems));
        }
        if (type.equals(ServedEvent.ERROR)) {
            return failure(object);
        }
        Optional<ReceivedObject> served = object(kind, object, new Interner(), problems);
        String version = SourceFields.of(object, "object", new ArrayList<>())
                .mapping("metadata")
                .string("resourceVersion");
        if (version.isEmpty()) {
            throw new MalformedResponseException("an event of type " + Quoted.of(type) + " has no resource version");
        }
        return switch (type) {
            case "ADDED", "MODIFIED" -> new ServedEvent.Put(identified(type, served, problems));
            case "DELETED" -> new ServedEvent.Removal(identified(type, served, problems));
            case "BOOKMARK" -> new ServedEvent.Bookmark(version);
            default -> throw new MalformedResponseException("an event has the unknown type " + Quoted.of(type));
        };
    }

    private static ReceivedObject identified(String type, Optional<ReceivedObject> served, List<Problem> problems)
            throws MalformedResponseException {
        return served.orElseThrow(() -> new MalformedResponseException(
                "an event of type " + Quoted.of(type) + " does not identify its object: " + first(problems)));
    }

    /**
     * Reads the Status of a failed request.
     *
     * @throws MalformedResponseException if it is not a JSON object
     */
    public static ServedEvent.Failure status(byte[] body) throws MalformedResponseException {
        return failure(read(body, SourceReader::readValue));
    }

    private static ServedEvent.Failure failure(SourceNode object) {
        SourceFields status = SourceFields.of(object, "object", new ArrayList<>());
        int code = status.node("code") instanceof Scalar(Location at, ScalarType type, String text)
                        && type == ScalarType.INTEGER
                        && text.length() == CODE_LENGTH
                ? Integer.parseInt(text)
                : 0;
        return new ServedEvent.Failure(code, status.string("reason"), status.string("message"));
    }

    /**
     * Converts an object, which may leave its type to the list.
     *
     * @param problems receives the problems; a nonempty result with problems cannot be used
     * @return empty if its identity is unknown
     * @throws MalformedResponseException if it has another type
     */
    private static Optional<ReceivedObject> object(
            RbacKind kind, SourceNode node, Interner strings, List<Problem> problems)
            throws MalformedResponseException {
        SourceFields fields = SourceFields.of(node, "", problems);
        requireType(
                kind.kind(),
                fields.has("apiVersion") ? fields.string("apiVersion") : API_VERSION,
                fields.has("kind") ? fields.string("kind") : kind.kind());
        SourceFields metadata = fields.mapping("metadata");
        ObjectKey key = new ObjectKey(kind, metadata.string("namespace"), metadata.string("name"));
        String version = metadata.string("resourceVersion");
        if (key.name().isEmpty() || kind.namespaced() == key.namespace().isEmpty()) {
            problems.add(new Problem(NOWHERE, "it has no name, or one that it cannot have"));
        }
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        RbacObject object = new ObjectReader(fields, false, strings, problems)
                .read(node, kind)
                .orElse(null);
        return Optional.of(new ReceivedObject(key, version, object, object == null ? first(problems) : ""));
    }

    private static void requireType(String expected, String apiVersion, String kind) throws MalformedResponseException {
        if (!apiVersion.equals(API_VERSION) || !kind.equals(expected)) {
            throw new MalformedResponseException("expected a " + expected + " of " + API_VERSION + ", found "
                    + Quoted.of(kind) + " of " + Quoted.of(apiVersion));
        }
    }

    private static String first(List<Problem> problems) {
        return problems.getFirst().message();
    }

    private static <T> T read(byte[] bytes, Reading<T> reading) throws MalformedResponseException {
        try (JsonParser json = JSON.createParser(JsonFactories.utf8(bytes, bytes.length))) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedResponseException("expected a JSON object");
            }
            T read = reading.read(json);
            if (json.nextToken() != null) {
                throw new MalformedResponseException("something follows the JSON object");
            }
            return read;
        } catch (ProblemsException e) {
            throw new MalformedResponseException(first(e.problems()));
        } catch (IOException malformed) {
            // Reading from memory, so only malformed content fails. The parser's message quotes the content; the
            // location is sufficient.
            throw new MalformedResponseException("not well-formed JSON" + place(malformed));
        }
    }

    private static String place(IOException malformed) {
        return malformed instanceof JsonProcessingException json && json.getLocation() != null
                ? " at character " + json.getLocation().getCharOffset()
                : ": " + Quoted.oneLine(String.valueOf(malformed.getMessage()));
    }
}
