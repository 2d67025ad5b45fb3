package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Tables of the built-in types: types, fields of their messages, JSON form, and significant zeros, by message name. */
final class Descriptions {
    private static final String SCHEMAS = "/io/plat/apiserver/type/resource-schemas.json";

    /**
     * A field of a message, from its descriptor.
     *
     * @param number its number
     * @param name its name, which differs from JSON in some cases
     * @param shape number of values
     * @param type a scalar's name, or a message's full name; for a map that of the values
     */
    record Field(int number, String name, FieldPlan.Shape shape, String type) {
        /** Returns whether its values are messages. */
        boolean ofMessages() {
            return type.indexOf('.') >= 0;
        }
    }

    private final Map<String, List<Field>> messages = new HashMap<>();
    private final Map<String, Schema> schemas = new HashMap<>();
    private final Map<String, Set<String>> shownZeros = new HashMap<>();
    private final Map<TypeMeta, String> kinds = new HashMap<>();

    /** Packages whose messages use another package's schemas, unless they have their own. */
    private final Map<String, String> schemaPackages = new HashMap<>();

    /**
     * @param messages lines of a table of messages
     * @param zeros lines of a table of significant zeros
     * @param schemas definitions of the JSON form
     * @param additional versions and types, in the form of {@code additional-types.json}
     */
    Descriptions(List<String> messages, List<String> zeros, JsonParser schemas, JsonNode additional)
            throws IOException {
        addMessages(messages);
        addZeros(zeros);
        addSchemas(schemas);
        addTypes(additional);
    }

    /** Returns the tables that ship with the program. */
    static Descriptions builtIn() {
        try (InputStream additional = open("additional-types.json");
                JsonParser schemas = StrictJson.FACTORY.createParser(open(SCHEMAS))) {
            return new Descriptions(
                    lines("messages.txt"),
                    lines("zero-values.txt"),
                    schemas,
                    new JsonMapper(JsonFactories.create()).readTree(additional));
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own tables cannot be read", e);
        }
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(Descriptions.class.getResourceAsStream(name), name);
    }

    private static List<String> lines(String name) throws IOException {
        try (InputStream in = open(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** A line is a message's name, or a field of the message last named: its number, name and type. */
    private void addMessages(List<String> lines) {
        String message = "";
        for (String line : lines) {
            if (Character.isDigit(line.charAt(0))) {
                messages.computeIfAbsent(message, name -> new ArrayList<>()).add(field(message, line));
            } else {
                message = line;
                messages.put(message, new ArrayList<>());
            }
        }
    }

    private static Field field(String message, String line) {
        String[] words = line.split(" ", -1);
        String type = words[2];
        FieldPlan.Shape shape = FieldPlan.Shape.ONE;
        if (type.startsWith("[]")) {
            shape = FieldPlan.Shape.ARRAY;
        } else if (type.startsWith("{}")) {
            shape = FieldPlan.Shape.MAP;
        }
        String bare = shape == FieldPlan.Shape.ONE ? type : type.substring(2);
        boolean local = bare.indexOf('.') < 0 && Character.isUpperCase(bare.charAt(0));
        return new Field(Integer.parseInt(words[0]), words[1], shape, local ? packageOf(message) + "." + bare : bare);
    }

    private void addZeros(List<String> lines) {
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            shownZeros.put(words[0], new HashSet<>(List.of(words).subList(1, words.length)));
        }
    }

    private void addSchemas(JsonParser definitions) throws IOException {
        new SchemaReader(definitions).read().forEach((definition, schema) -> {
            String message = messageOf(definition);
            schemas.put(message, schema);
            schema.kinds().forEach(type -> addKind(type, message));
        });
    }

    private void addKind(TypeMeta type, String message) {
        // A type may be described in JSON and have no message.
        if (messages.containsKey(message)) {
            kinds.put(type, message);
        }
    }

    private void addTypes(JsonNode additional) throws IOException {
        addSchemas(additional.path("definitions").traverse());
        additional.path("fields").properties().forEach(added -> {
            for (JsonNode line : added.getValue()) {
                messages.computeIfAbsent(added.getKey(), name -> new ArrayList<>())
                        .add(field(added.getKey(), line.asText()));
            }
        });
        Map<TypeMeta, String> known = Map.copyOf(kinds);
        additional.path("packages").properties().forEach(named -> {
            String like = named.getValue().path("like").asText();
            schemaPackages.put(named.getKey(), like);
            known.forEach((type, message) -> {
                if (packageOf(message).equals(like)) {
                    for (JsonNode apiVersion : named.getValue().path("servedAs")) {
                        addKind(
                                new TypeMeta(apiVersion.asText(), type.kind()),
                                named.getKey() + message.substring(like.length()));
                    }
                }
            });
        });
    }

    /** Returns the message that a definition of the schemas describes. */
    static String messageOf(String definition) {
        String prefix = "io.k8s.";
        String message = definition.startsWith(prefix) ? "k8s.io." + definition.substring(prefix.length()) : definition;
        return message.replace('-', '_');
    }

    private static String packageOf(String message) {
        return message.substring(0, Math.max(message.lastIndexOf('.'), 0));
    }

    /** Returns the types that have a message, each with its name. */
    Map<TypeMeta, String> kinds() {
        return kinds;
    }

    /** Returns the fields of a message in no order; empty if it is unknown. */
    Optional<List<Field>> fields(String message) {
        return Optional.ofNullable(messages.get(message));
    }

    /** Returns the JSON form of a message; empty for one that is always inlined. */
    Optional<Schema> schema(String message) {
        Schema own = schemas.get(message);
        return Optional.ofNullable(own == null ? schemas.get(schemaMessage(message)) : own);
    }

    /** Returns whether a field's zero differs from its absence. */
    boolean zeroCounts(String message, String property) {
        Set<String> own = shownZeros.get(message);
        Set<String> shown = own == null ? shownZeros.get(schemaMessage(message)) : own;
        return shown != null && shown.contains(property);
    }

    private String schemaMessage(String message) {
        String like = schemaPackages.get(packageOf(message));
        return like == null
                ? message
                : like + message.substring(packageOf(message).length());
    }
}
