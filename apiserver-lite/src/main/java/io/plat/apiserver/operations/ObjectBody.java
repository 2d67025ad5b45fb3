package io.plat.apiserver.operations;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.plat.apiserver.patch.Patch;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.DuplicateFields;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.TreeReader;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Parses JSON bodies: objects and patches. */
public final class ObjectBody {
    private static final int SUMMARY = 30;

    /** Character that the parser did not expect. */
    private static final Pattern CHARACTER = Pattern.compile("(?s)'(.)");

    /** Parts of the parser's messages, and the place that Go's scanner names instead. */
    private static final List<Map.Entry<String, String>> PLACES = List.of(
            Map.entry("to start field name", "looking for beginning of object key string"),
            Map.entry("expecting a colon", "after object key"),
            Map.entry("separate Object entries", "after object key:value pair"),
            Map.entry("separate Array entries", "after array element"),
            Map.entry("in numeric value", "in numeric literal"),
            Map.entry("character escape", "in string escape code"));

    private ObjectBody() {}

    /**
     * Parses a body as an object of a type; kind and apiVersion are checked by the operation.
     *
     * @throws StatusException 400 if it is not one JSON object
     */
    public static ParsedObject json(ResourceType type, byte[] body) throws StatusException {
        try {
            return object(body);
        } catch (StatusException e) {
            throw unrecognized(type.kind(), e.status().message(), body);
        }
    }

    /**
     * Parses a body as a whole object of a type. As in Kubernetes, the kind of a custom object has no default.
     *
     * @throws StatusException 400 if it is not one JSON object, or lacks a kind that is required
     */
    public static ParsedObject whole(ResourceType type, byte[] body) throws StatusException {
        ParsedObject sent = json(type, body);
        try {
            requireKind(type, sent.object(), () -> new String(body, StandardCharsets.UTF_8));
        } catch (StatusException e) {
            throw unrecognized(type.kind(), e.status().message(), body);
        }
        return sent;
    }

    /** Rejects a custom object without a kind. */
    static void requireKind(ResourceType type, ObjectNode object, Supplier<String> text) throws StatusException {
        if (type.isCustom() && Json.text(object, "kind").isEmpty()) {
            throw ApiErrors.badRequest("Object 'Kind' is missing in '" + text.get() + "'");
        }
    }

    /** Returns the failure for a body that is not an object of a kind. */
    public static StatusException unrecognized(String kind, String problem, byte[] body) {
        return ApiErrors.badRequest("the object provided is unrecognized (must be of type " + kind + "): " + problem
                + " (" + summary(body) + ")");
    }

    /**
     * Parses a body as an object of any type, such as deletion options.
     *
     * @throws StatusException 400 if it is not one JSON object
     */
    public static ParsedObject object(byte[] body) throws StatusException {
        try {
            TreeReader.Read read = TreeReader.read(body, TreeReader.DuplicatePolicy.GOES_INTO);
            if (read.tree() instanceof ObjectNode object) {
                checkType(object);
                return new ParsedObject(object, read.repeated());
            }
            if (read.tree().isNull()) {
                return ParsedObject.of(JsonNodeFactory.instance.objectNode());
            }
            throw unreadable(
                    read.tree().isMissingNode()
                            ? "unexpected end of JSON input"
                            : Json.cannotUnmarshal(read.tree(), "Go value of type object"));
        } catch (JsonProcessingException e) {
            throw unreadable(problem(e));
        } catch (NumberFormatException e) {
            // The parser and the number limits report an excessive exponent in this way.
            throw unreadable("a number is out of range");
        } catch (IOException e) {
            throw new UncheckedIOException("an array cannot fail to be read", e);
        }
    }

    /**
     * Parses a body as a patch.
     *
     * @throws StatusException 400 if it is malformed, 413 if it has too many operations
     */
    static Patch patch(PatchFormat format, byte[] body, TypeSchema schema) throws StatusException {
        String prefix = format == PatchFormat.STRATEGIC_MERGE ? "" : "error decoding patch: ";
        try {
            TreeReader.Read read = TreeReader.read(body, TreeReader.DuplicatePolicy.REPLACES);
            if (read.tree().isMissingNode()) {
                throw ApiErrors.badRequest(prefix + "unexpected end of JSON input");
            }
            List<String> repeated = read.repeated().paths().stream()
                    .map(DuplicateFields::warning)
                    .toList();
            return Patch.of(format, read.tree(), repeated, schema);
        } catch (JsonProcessingException e) {
            throw ApiErrors.badRequest(prefix + problem(e));
        } catch (NumberFormatException e) {
            throw ApiErrors.badRequest("error decoding patch: a number is out of range");
        } catch (IOException e) {
            throw new UncheckedIOException("an array cannot fail to be read", e);
        }
    }

    /** Returns a problem in the wording of Go's scanner. */
    private static String problem(JsonProcessingException e) {
        String message = e.getOriginalMessage();
        Matcher character = CHARACTER.matcher(message);
        if (!character.find()) {
            return message.startsWith("Unexpected end-of-input") ? "unexpected end of JSON input" : message;
        }
        JsonStreamContext context = ((JsonParser) e.getProcessor()).getParsingContext();
        // Other than a close marker, the character counts as an entry.
        boolean trailing = message.startsWith("Trailing")
                || (context.inRoot() && context.getEntryCount() > (message.contains("close marker") ? 0 : 1));
        String place = PLACES.stream()
                .filter(row -> message.contains(row.getKey()))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse("looking for beginning of value");
        return "invalid character '" + character.group(1) + "' " + (trailing ? "after top-level value" : place);
    }

    /**
     * Checks the form of kind and apiVersion.
     *
     * @throws StatusException 400 for another form
     */
    static void checkType(ObjectNode object) throws StatusException {
        for (String field : List.of("kind", "apiVersion")) {
            JsonNode value = object.path(field);
            if (!value.isTextual() && !value.isNull() && !value.isMissingNode()) {
                throw unreadable(Json.cannotUnmarshal(value, "Go struct field ." + field + " of type string"));
            }
        }
        String version = Json.text(object, "apiVersion");
        if (version.indexOf('/') != version.lastIndexOf('/')) {
            throw ApiErrors.badRequest("unexpected GroupVersion string: " + version);
        }
    }

    private static StatusException unreadable(String problem) {
        return ApiErrors.badRequest("couldn't get version/kind; json parse error: " + problem);
    }

    /** Returns the beginning of a body, as kube-apiserver quotes it. */
    private static String summary(byte[] body) {
        if (body.length == 0) {
            return "<empty>";
        }
        int length = Math.min(body.length, SUMMARY);
        String more = body.length > SUMMARY ? " ..." : "";
        return body[0] == '{'
                ? new String(body, 0, length, StandardCharsets.UTF_8) + more
                : HexFormat.of().formatHex(body, 0, length) + more;
    }
}
