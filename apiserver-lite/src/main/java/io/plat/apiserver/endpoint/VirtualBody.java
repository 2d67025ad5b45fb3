package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Body of a request for a virtual type, whose fields are read one by one. */
record VirtualBody(TypeMeta type, ObjectNode tree) {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactories.create())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /**
     * Reads a body.
     *
     * @param type expected type, also the default for a body that does not state it
     * @throws StatusException 400 for another type
     */
    static VirtualBody read(byte[] body, TypeMeta type) throws StatusException {
        JsonNode sent;
        try {
            sent = MAPPER.readTree(body);
        } catch (JacksonException e) {
            throw ApiErrors.badRequest("the object provided is unrecognized (must be of type " + type.kind() + ")");
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
        if (!(sent instanceof ObjectNode object)
                || !sent.path("kind").asText(type.kind()).equals(type.kind())
                || !sent.path("apiVersion").asText(type.apiVersion()).equals(type.apiVersion())) {
            throw ApiErrors.badRequest("the object provided is unrecognized (must be of type " + type.kind()
                    + " in version \"" + type.apiVersion() + "\")");
        }
        return new VirtualBody(type, object);
    }

    static ObjectNode object(TypeMeta type) {
        return JsonNodeFactory.instance.objectNode().put("kind", type.kind()).put("apiVersion", type.apiVersion());
    }

    /**
     * Returns the string at a path, {@code ""} if absent.
     *
     * @param path path, as in {@code spec.token}
     */
    String text(String path) throws StatusException {
        return value(path, JsonNode::isTextual, "string")
                .map(JsonNode::textValue)
                .orElse("");
    }

    /** Returns the integer at a path. */
    Optional<Long> number(String path) throws StatusException {
        return value(path, number -> number.isIntegralNumber() && number.canConvertToLong(), "int64")
                .map(JsonNode::longValue);
    }

    /** Returns the strings at a path, none if absent. */
    List<String> texts(String path) throws StatusException {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value(path, JsonNode::isArray, "[]string").orElse(MissingNode.getInstance())) {
            if (!item.isTextual()) {
                throw wrong(path, item, "string");
            }
            texts.add(item.textValue());
        }
        return texts;
    }

    boolean hasObject(String path) throws StatusException {
        return value(path, JsonNode::isObject, "object").isPresent();
    }

    private Optional<JsonNode> value(String path, Predicate<JsonNode> fits, String expected) throws StatusException {
        JsonNode value = at(path);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!fits.test(value)) {
            throw wrong(path, value, expected);
        }
        return Optional.of(value);
    }

    private JsonNode at(String path) throws StatusException {
        JsonNode value = tree;
        for (String name : path.split("\\.", -1)) {
            if (!value.isObject() && !value.isMissingNode() && !value.isNull()) {
                throw wrong(path, value, "object");
            }
            value = value.path(name);
        }
        return value;
    }

    private StatusException wrong(String path, JsonNode value, String expected) {
        String version = type.apiVersion().substring(type.apiVersion().indexOf('/') + 1);
        return ApiErrors.badRequest(type.kind() + " in version \"" + version + "\" cannot be handled as a "
                + type.kind()
                + ": json: cannot unmarshal " + value.getNodeType().name().toLowerCase(Locale.ROOT)
                + " into Go struct field " + type.kind() + "." + path + " of type " + expected);
    }
}
