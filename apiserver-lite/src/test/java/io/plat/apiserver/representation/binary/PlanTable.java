package io.plat.apiserver.representation.binary;

import io.plat.apiserver.representation.binary.Descriptions.Field;
import io.plat.apiserver.representation.binary.FieldPlan.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Combines the descriptors and the schemas of messages into the file of plans that ships with the program.
 *
 * <p>The two differ in some names ({@code $ref} and {@code ref}, {@code webhooks} and {@code Webhooks}), and the
 * descriptors nest what JSON inlines: a field that JSON does not have, of a message whose fields JSON has, is an inlined one.
 * A contradiction between them is a bug in the tables.
 */
final class PlanTable {
    private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.";
    private static final String API_EXTENSIONS = "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.";
    private static final String SCHEMA = API_EXTENSIONS + "JSONSchemaProps";

    /** Maximum depth of inlined messages; Kubernetes has two. */
    private static final int MAX_INLINED = 3;

    /** Messages with a special form in JSON. */
    private static final Map<String, ValueKind> SPECIAL = Map.of(
            "k8s.io.apimachinery.pkg.api.resource.Quantity",
            ValueKind.QUANTITY,
            META + "Time",
            ValueKind.TIME,
            META + "MicroTime",
            ValueKind.MICRO_TIME,
            "k8s.io.apimachinery.pkg.util.intstr.IntOrString",
            ValueKind.INT_OR_STRING,
            META + "FieldsV1",
            ValueKind.RAW_JSON,
            "k8s.io.apimachinery.pkg.runtime.RawExtension",
            ValueKind.EXTENSION,
            API_EXTENSIONS + "JSON",
            ValueKind.RAW_JSON,
            SCHEMA + "OrArray",
            ValueKind.UNION,
            SCHEMA + "OrBool",
            ValueKind.UNION,
            SCHEMA + "OrStringArray",
            ValueKind.UNION);

    private final Descriptions descriptions;
    private final Map<String, ValueKind> forms = new TreeMap<>();
    private final Map<String, List<String>> bodies = new TreeMap<>();

    private PlanTable(Descriptions descriptions) {
        this.descriptions = descriptions;
    }

    /** Returns the plans of all messages that are, or are part of, objects of a type. */
    static String text(Descriptions descriptions) {
        var roots = new TreeSet<>(descriptions.kinds().values());
        roots.add(META + "DeleteOptions");
        roots.add(META + "WatchEvent");
        return text(descriptions, roots);
    }

    static String text(Descriptions descriptions, Set<String> roots) {
        var table = new PlanTable(descriptions);
        roots.forEach(root -> table.add(root, ValueKind.MESSAGE));
        var types = new TreeMap<String, TreeSet<String>>();
        descriptions
                .kinds()
                .forEach((type, message) -> types.computeIfAbsent(message, any -> new TreeSet<>())
                        .add(" " + type.apiVersion() + "/" + type.kind()));
        var text = new StringBuilder();
        table.bodies.forEach((message, lines) -> {
            ValueKind form = table.forms.getOrDefault(message, ValueKind.MESSAGE);
            text.append(message);
            text.append(form == ValueKind.MESSAGE ? "" : " " + form.name().toLowerCase(Locale.ROOT));
            types.getOrDefault(message, new TreeSet<>()).forEach(text::append);
            text.append('\n');
            lines.forEach(line -> text.append(line).append('\n'));
        });
        return text.toString();
    }

    private void add(String message, ValueKind form) {
        ValueKind known = forms.putIfAbsent(message, form);
        if (known != null) {
            if (known != form) {
                throw new IllegalStateException("the schema and the message differ in the type of " + message);
            }
            return;
        }
        if (form == ValueKind.MESSAGE) {
            bodies.put(message, compile(message));
            return;
        }
        var lines = new ArrayList<String>();
        bodies.put(message, lines);
        for (Field field : fields(message)) {
            lines.add(line(field, field.name(), message, field.type(), ""));
            if (field.ofMessages()) {
                add(field.type(), ValueKind.MESSAGE);
            }
        }
    }

    private List<Field> fields(String message) {
        return descriptions
                .fields(message)
                .orElseThrow(() -> new IllegalStateException("no table lists the fields of " + message));
    }

    private List<String> compile(String message) {
        Schema schema = descriptions
                .schema(message)
                .orElseThrow(() -> new IllegalStateException("no schema describes " + message));
        var names = new HashMap<String, String>();
        schema.properties().keySet().forEach(name -> names.put(plain(name), name));
        var lines = new ArrayList<String>();
        bodies.put(message, lines);
        compile(message, new Target(message, schema, names, 0), lines);
        return lines;
    }

    /**
     * JSON object of a message and of the messages that are inlined in it.
     *
     * @param message name of the message with the schema
     * @param names fields that are not assigned yet, by their plain names
     * @param inlined number of enclosing inlined messages
     */
    private record Target(String message, Schema schema, Map<String, String> names, int inlined) {
        Target inner() {
            return new Target(message, schema, names, inlined + 1);
        }
    }

    private void compile(String message, Target target, List<String> into) {
        var entries = new TreeMap<Integer, List<String>>();
        var unplaced = new ArrayList<Field>();
        for (Field field : fields(message)) {
            String name = target.names().remove(plain(field.name()));
            if (name == null) {
                unplaced.add(field);
            } else {
                entries.put(field.number(), List.of(field(field, name, target)));
            }
        }
        for (Field field : unplaced) {
            if (mayBeInlined(field) && !target.names().isEmpty() && target.inlined() < MAX_INLINED) {
                var inlined = new ArrayList<String>();
                inlined.add(field.number() + " { " + field.type());
                compile(field.type(), target.inner(), inlined);
                if (inlined.size() > 1) {
                    inlined.add("}");
                    entries.put(field.number(), inlined);
                }
            }
        }
        entries.values().forEach(into::addAll);
    }

    private static boolean mayBeInlined(Field field) {
        return field.ofMessages() && field.shape() == Shape.ONE && !SPECIAL.containsKey(field.type());
    }

    /** Returns the common form of a name: letters and digits in lower case. */
    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    private String field(Field field, String name, Target target) {
        ValueKind form = form(field, target.schema().properties().get(name));
        if (field.ofMessages()) {
            add(field.type(), form);
        }
        String zero = descriptions.zeroCounts(target.message(), name)
                ? "?"
                : target.schema().required().contains(name) ? "!" : "";
        return line(field, name, target.message(), field.type(), zero);
    }

    /** Returns the line of a field. The omitted package is that of the message in the first line, also within inlined ones. */
    private static String line(Field field, String name, String message, String type, String zero) {
        String shape = field.shape() == Shape.ARRAY ? "[]" : field.shape() == Shape.MAP ? "{}" : "";
        int end = message.lastIndexOf('.') + 1;
        boolean local = type.lastIndexOf('.') + 1 == end && type.startsWith(message.substring(0, end));
        return field.number() + " " + name + " " + shape + (local ? type.substring(end) : type) + zero;
    }

    private static ValueKind form(Field field, Schema.@Nullable Property property) {
        Schema.Property value = property;
        if (value != null && field.shape() != Shape.ONE) {
            boolean agreed = value.type().equals(field.shape() == Shape.ARRAY ? "array" : "object");
            value = agreed ? value.elements() : null;
        }
        if (value == null) {
            throw new IllegalStateException("the schema and the message differ in the shape of " + field);
        }
        ValueKind kind = form(field.type(), value);
        if (kind == null) {
            throw new IllegalStateException("the schema and the message differ in the type of " + field);
        }
        return kind;
    }

    private static @Nullable ValueKind form(String type, Schema.Property value) {
        String form = value.type() + ":" + value.format();
        return switch (type) {
            case "string" -> form.equals("string:") ? ValueKind.STRING : null;
            case "bytes" -> form.equals("string:byte") ? ValueKind.BYTES : null;
            case "int32" -> form.equals("integer:int32") ? ValueKind.INT32 : null;
            case "int64" -> form.equals("integer:int64") ? ValueKind.INT64 : null;
            case "bool" -> form.equals("boolean:") ? ValueKind.BOOL : null;
            case "double" -> form.equals("number:double") ? ValueKind.DOUBLE : null;
            default -> message(type, value);
        };
    }

    private static @Nullable ValueKind message(String type, Schema.Property value) {
        if (value.type().equals("array")) {
            Schema.Property element = value.elements();
            return element != null && element.type().equals("string") ? ValueKind.UNION : null;
        }
        ValueKind special = SPECIAL.get(type);
        if (special != null) {
            return Descriptions.messageOf(value.definition()).equals(type) ? special : null;
        }
        // A version's messages may follow another version's schemas.
        return shortName(type).equals(shortName(value.definition())) ? ValueKind.MESSAGE : null;
    }

    private static String shortName(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
