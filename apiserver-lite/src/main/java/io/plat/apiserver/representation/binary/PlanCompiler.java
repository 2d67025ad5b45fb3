package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.io.SerializedString;
import io.plat.apiserver.representation.binary.Descriptions.Field;
import io.plat.apiserver.representation.binary.FieldPlan.Shape;
import io.plat.apiserver.representation.binary.FieldPlan.Zero;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings together what the descriptors and the schemas say of a message.
 *
 * <p>The two differ in names here and there ({@code $ref} and {@code ref}, {@code webhooks} and {@code Webhooks}), and the
 * descriptors nest what JSON inlines: a field that JSON does not have, of a message whose fields JSON has, is an inlined one.
 * Where they contradict each other, the tables are wrong and that is a bug.
 */
final class PlanCompiler {
    private static final String API_EXTENSIONS = "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.";
    private static final String SCHEMA = API_EXTENSIONS + "JSONSchemaProps";

    /** How many messages may be inlined in each other; the field has two. */
    private static final int MOST_INLINED = 3;

    /** The messages that JSON writes in a way of their own. */
    private static final Map<String, ValueKind> SPECIAL = Map.of(
            "k8s.io.apimachinery.pkg.api.resource.Quantity",
            ValueKind.QUANTITY,
            "k8s.io.apimachinery.pkg.apis.meta.v1.Time",
            ValueKind.TIME,
            "k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime",
            ValueKind.MICRO_TIME,
            "k8s.io.apimachinery.pkg.util.intstr.IntOrString",
            ValueKind.INT_OR_STRING,
            "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1",
            ValueKind.RAW_JSON,
            "k8s.io.apimachinery.pkg.runtime.RawExtension",
            ValueKind.EXTENSION,
            API_EXTENSIONS + "JSON",
            ValueKind.RAW_JSON,
            SCHEMA + "OrArray",
            ValueKind.SCHEMA_OR_SCHEMAS,
            SCHEMA + "OrBool",
            ValueKind.SCHEMA_OR_BOOL,
            SCHEMA + "OrStringArray",
            ValueKind.SCHEMA_OR_STRINGS);

    private final Descriptions descriptions;
    private final MessagePlans plans;

    PlanCompiler(Descriptions descriptions, MessagePlans plans) {
        this.descriptions = descriptions;
        this.plans = plans;
    }

    /** Compiles the plan of a message that has a schema of its own. */
    MessagePlan compile(String message) {
        Schema schema = descriptions
                .schema(message)
                .orElseThrow(() -> new IllegalStateException("no schema describes " + message));
        var names = new HashMap<String, String>();
        schema.properties().keySet().forEach(name -> names.put(plain(name), name));
        return compile(message, new Target(message, schema, names, 0));
    }

    /**
     * The JSON object that a message and those inlined in it make up.
     *
     * @param message whose schema it is
     * @param names its fields that have no place yet, by their plain names
     * @param inlined how many messages stand around the one that is looked at
     */
    private record Target(String message, Schema schema, Map<String, String> names, int inlined) {
        Target inner() {
            return new Target(message, schema, names, inlined + 1);
        }
    }

    private MessagePlan compile(String message, Target target) {
        List<Field> fields = descriptions
                .fields(message)
                .orElseThrow(() -> new IllegalStateException("no table lists the fields of " + message));
        var entries = new ArrayList<MessagePlan.Entry>();
        var unplaced = new ArrayList<Field>();
        for (Field field : fields) {
            String name = target.names().remove(plain(field.name()));
            if (name == null) {
                unplaced.add(field);
            } else {
                entries.add(field(field, name, target));
            }
        }
        for (Field field : unplaced) {
            if (mayBeInlined(field) && !target.names().isEmpty() && target.inlined() < MOST_INLINED) {
                MessagePlan inlined = compile(field.type(), target.inner());
                if (inlined.size() > 0) {
                    entries.add(new MessagePlan.Inlined(field.number(), inlined));
                }
            }
        }
        entries.sort(Comparator.comparingInt(MessagePlan.Entry::number));
        return new MessagePlan(message, entries);
    }

    private static boolean mayBeInlined(Field field) {
        return field.ofMessages() && field.shape() == Shape.ONE && !SPECIAL.containsKey(field.type());
    }

    /** A name by which both forms agree: letters and digits in lower case. */
    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    private FieldPlan field(Field field, String name, Target target) {
        Schema.Property property = target.schema().properties().get(name);
        ValueKind kind = kind(field, property);
        Zero zero = Zero.LEFT_OUT;
        if (descriptions.zeroCounts(target.message(), name)) {
            zero = Zero.SHOWN;
        } else if (target.schema().required().contains(name)) {
            zero = Zero.ALWAYS;
        }
        return new FieldPlan(new SerializedString(name), field.number(), field.shape(), kind, zero, link(field, kind));
    }

    private static ValueKind kind(Field field, Schema.@Nullable Property property) {
        Schema.Property value = property;
        if (value != null && field.shape() != Shape.ONE) {
            boolean agreed = value.type().equals(field.shape() == Shape.ARRAY ? "array" : "object");
            value = agreed ? value.elements() : null;
        }
        if (value == null) {
            throw new IllegalStateException("the schema and the message differ in the shape of " + field);
        }
        ValueKind kind = kind(field.type(), value);
        if (kind == null) {
            throw new IllegalStateException("the schema and the message differ in the type of " + field);
        }
        return kind;
    }

    private static @Nullable ValueKind kind(String type, Schema.Property value) {
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
            return element != null && element.type().equals("string") ? ValueKind.STRINGS : null;
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

    private @Nullable PlanLink link(Field field, ValueKind kind) {
        return switch (kind) {
            case MESSAGE -> new PlanLink(plans, field.type());
            case SCHEMA_OR_SCHEMAS, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> new PlanLink(plans, SCHEMA);
            case STRING,
                    INT32,
                    INT64,
                    BOOL,
                    DOUBLE,
                    BYTES,
                    QUANTITY,
                    TIME,
                    MICRO_TIME,
                    INT_OR_STRING,
                    RAW_JSON,
                    EXTENSION,
                    STRINGS -> null;
        };
    }
}
