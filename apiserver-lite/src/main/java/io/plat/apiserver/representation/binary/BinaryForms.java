package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.io.SerializedString;
import io.plat.apiserver.representation.binary.FieldPlan.Shape;
import io.plat.apiserver.representation.binary.FieldPlan.Zero;
import io.plat.apiserver.tree.ProgramData;
import io.plat.engine.lookup.Frozen;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Types with a protobuf form, and the plans of their messages, from {@code plans.txt}. Custom types, tables and virtual types for
 * explanations have none; clients that accept several encodings receive JSON for those. Immutable.
 *
 * <p>A line that does not begin with a digit declares a message, its {@link ValueKind} unless it is a plain message, and its types
 * ({@code apiVersion/Kind}). All other lines are fields: number, name in JSON and type, a scalar type or the name of a message, by
 * default in the same package; {@code []} before it denotes an array and {@code {}} for a map, {@code !} after it for {@link
 * Zero#ALWAYS} and {@code ?} for {@link Zero#SHOWN}. <code>NUMBER { MESSAGE</code> begins the fields of an inlined message, which a
 * closing brace ends.
 */
public final class BinaryForms {
    private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.";

    /** Kinds that belong to all groups and versions, whether or not the file lists them. */
    private static final Set<String> UNIVERSAL = Set.of("DeleteOptions", "WatchEvent");

    private final Map<String, MessagePlan> messages = new HashMap<>();
    private final Map<TypeMeta, MessagePlan> types = new HashMap<>();

    BinaryForms(List<String> lines) {
        lines.stream().filter(BinaryForms::isHeader).forEach(this::header);
        int at = 0;
        while (at < lines.size()) {
            String message = lines.get(at++).split(" ", -1)[0];
            var body = new Body(lines, at, message.substring(0, message.lastIndexOf('.') + 1));
            plan(message).define(body.fields(-1), Frozen.copyOf(body.named), List.copyOf(body.parts));
            at = body.at;
        }
    }

    /** Loaded on first use: many servers never see protobuf. */
    private static final class Lazy {
        static final BinaryForms BUILT_IN = new BinaryForms(
                ProgramData.text(BinaryForms.class, "plans.txt").lines().toList());
    }

    /** Returns the built-in types. The first call loads their plans, which takes a while. */
    public static BinaryForms builtIn() {
        return Lazy.BUILT_IN;
    }

    private static boolean isHeader(String line) {
        return !Character.isDigit(line.charAt(0)) && line.charAt(0) != '}';
    }

    private void header(String line) {
        String[] words = line.split(" ", -1);
        boolean plain = words.length == 1 || words[1].indexOf('/') >= 0;
        var plan = new MessagePlan(words[0], plain ? ValueKind.MESSAGE : kind(words[1]));
        messages.put(words[0], plan);
        for (int i = plain ? 1 : 2; i < words.length; i++) {
            int slash = words[i].lastIndexOf('/');
            types.put(new TypeMeta(words[i].substring(0, slash), words[i].substring(slash + 1)), plan);
        }
    }

    private static ValueKind kind(String word) {
        return ValueKind.valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Fields of one message during parsing. */
    private final class Body {
        private final List<String> lines;
        private final String ownPackage;
        private final Map<String, FieldPlan> named = new HashMap<>();
        private final List<FieldPlan> parts = new ArrayList<>();
        private int at;

        Body(List<String> lines, int at, String ownPackage) {
            this.lines = lines;
            this.at = at;
            this.ownPackage = ownPackage;
        }

        List<FieldPlan> fields(int part) {
            var fields = new ArrayList<FieldPlan>();
            while (at < lines.size() && !isHeader(lines.get(at))) {
                String[] words = lines.get(at++).split(" ", -1);
                if (words.length == 1) {
                    break;
                }
                int number = Integer.parseInt(words[0]);
                fields.add(words[1].equals("{") ? inlined(number, words[2], part) : field(number, words, part));
            }
            return fields;
        }

        private FieldPlan inlined(int number, String message, int part) {
            var plan = new MessagePlan(message, ValueKind.INLINED);
            FieldPlan field = FieldPlan.unnamed(number, ValueKind.INLINED, plan, part);
            parts.add(field);
            plan.define(fields(parts.size() - 1), Map.of(), List.of());
            return field;
        }

        private FieldPlan field(int number, String[] words, int part) {
            String type = words[2];
            Zero zero = type.endsWith("!") ? Zero.ALWAYS : type.endsWith("?") ? Zero.SHOWN : Zero.OMITTED;
            Shape shape = type.startsWith("[]") ? Shape.ARRAY : type.startsWith("{}") ? Shape.MAP : Shape.ONE;
            String bare = type.substring(shape == Shape.ONE ? 0 : 2, type.length() - (zero == Zero.OMITTED ? 0 : 1));
            boolean local = bare.indexOf('.') < 0;
            MessagePlan nested =
                    local && Character.isLowerCase(bare.charAt(0)) ? null : plan(local ? ownPackage + bare : bare);
            ValueKind kind = nested == null ? kind(bare) : nested.kind();
            if (shape == Shape.MAP) {
                nested = entry(kind, nested);
                kind = ValueKind.MESSAGE;
            }
            var field = new FieldPlan(
                    new SerializedString(words[1]), number, shape, kind, zero, nested, named.size(), part);
            named.put(words[1], field);
            return field;
        }

        private static MessagePlan entry(ValueKind kind, @Nullable MessagePlan nested) {
            var entry = new MessagePlan("an entry", ValueKind.MESSAGE);
            entry.define(
                    List.of(FieldPlan.unnamed(1, ValueKind.STRING, null, -1), FieldPlan.unnamed(2, kind, nested, -1)),
                    Map.of(),
                    List.of());
            return entry;
        }
    }

    /** Returns the plan of a type; empty if it has no protobuf form. */
    Optional<MessagePlan> plan(TypeMeta type) {
        MessagePlan plan = types.get(type);
        if (plan == null
                && UNIVERSAL.contains(type.kind())
                && !type.apiVersion().isEmpty()) {
            plan = messages.get(META + type.kind());
        }
        return Optional.ofNullable(plan);
    }

    MessagePlan plan(String message) {
        return Objects.requireNonNull(messages.get(message), message);
    }

    /** Returns the protobuf form of a type; empty if it has none. */
    public Optional<BinaryForm> find(TypeMeta type) {
        return plan(type).map(plan -> new BinaryForm(this, type, plan));
    }

    public boolean knows(TypeMeta type) {
        return plan(type).isPresent();
    }

    /** Returns the types with a protobuf form, without {@code DeleteOptions} and {@code WatchEvent} in other groups and versions. */
    Set<TypeMeta> types() {
        return Frozen.copyOf(types.keySet());
    }

    /**
     * Converts an object in its envelope to UTF-8 JSON, with kind and apiVersion.
     *
     * @param body body, of a size that the caller has limited
     * @param expected default for what the envelope omits, such as the type of the request's path
     * @param maxJsonBytes maximum size of the JSON
     * @throws StatusException 400 if it is malformed or of a type without protobuf form, 413 if the JSON would be too large, 415 for an
     *     unsupported encoding or content type
     */
    public byte[] decode(byte[] body, TypeMeta expected, int maxJsonBytes) throws StatusException {
        BinaryEnvelope.Content content = BinaryEnvelope.open(body, 0, body.length);
        TypeMeta type = content.type().orElse(expected);
        return MessageDecoder.decode(
                this, body, new BinaryEnvelope.Content(type, content.start(), content.end()), maxJsonBytes);
    }
}
