package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.apiserver.memory.ClientJson;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Set of fields of an object: a tree whose steps are written as in {@code fieldsV1}, {@code f:NAME} for a field, and {@code k:KEYS},
 * {@code v:VALUE} or {@code i:INDEX} for an element of a list. A node may be a member itself, have children, or both. Built by one thread,
 * then immutable.
 */
final class FieldSet {
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactories.create())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final String SELF = ".";

    /** Maximum length of a path in messages, in characters. */
    private static final int MAX_SHOWN = 8 << 10;

    /** Shared node without children that is a member. */
    static final FieldSet LEAF = new FieldSet(true);

    private static final FieldSet EMPTY = new FieldSet();

    /** Shared JSON form of leaves; stored trees are never modified in place. */
    private static final ObjectNode END = JsonNodeFactory.instance.objectNode();

    /** Children; leaves share an empty map. */
    private Map<String, FieldSet> below = Map.of();

    private boolean self;

    FieldSet() {}

    private FieldSet(boolean self) {
        this.self = self;
    }

    static String field(String name) {
        return "f:" + name;
    }

    static String value(JsonNode value) {
        return "v:" + literal(value);
    }

    /** Returns the step to an element that is identified by its keys. */
    static String keys(SortedMap<String, JsonNode> keys) {
        var step = new StringBuilder("k:{");
        keys.forEach((key, value) -> step.append(step.length() == 3 ? "" : ",")
                .append(quoted(key))
                .append(':')
                .append(literal(value)));
        return step.append('}').toString();
    }

    static String key(String key, JsonNode value) {
        return "k:{" + quoted(key) + ':' + literal(value) + '}';
    }

    private static String literal(JsonNode value) {
        return value.isTextual() ? quoted(value.textValue()) : value.toString();
    }

    /** Quotes a text like Jackson, without its set-up cost: almost no name needs more than the quotes. */
    private static String quoted(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                return TextNode.valueOf(text).toString();
            }
        }
        return '"' + text + '"';
    }

    void add(List<String> path) {
        FieldSet at = this;
        for (String step : path) {
            at = at.begin(step);
        }
        at.self = true;
    }

    /** Adds this node itself to the set, while it is being built. */
    void addSelf() {
        self = true;
    }

    /** Returns the child at a step, created if absent. */
    FieldSet begin(String step) {
        FieldSet node = below.get(step);
        if (node == null) {
            node = new FieldSet();
            put(step, node);
        }
        return node;
    }

    void put(String step, FieldSet node) {
        if (below.isEmpty()) {
            below = new TreeMap<>();
        }
        below.put(step, node);
    }

    boolean isEmpty() {
        return !self && below.isEmpty();
    }

    boolean self() {
        return self;
    }

    boolean has(List<String> path) {
        return at(path).self;
    }

    /** Returns the node at the end of a path; an empty set if absent. */
    FieldSet at(List<String> path) {
        FieldSet at = this;
        for (String step : path) {
            at = at.at(step);
        }
        return at;
    }

    /** Returns the child at a step; an empty set if absent. */
    FieldSet at(String step) {
        return below.getOrDefault(step, EMPTY);
    }

    /** Returns this set without some steps and everything below them. */
    FieldSet without(Set<String> steps) {
        var rest = new FieldSet(self);
        below.forEach((step, node) -> {
            if (!steps.contains(step)) {
                rest.put(step, node);
            }
        });
        return rest;
    }

    /** Returns the children as a set, without this node itself. */
    FieldSet withoutSelf() {
        var inner = new FieldSet();
        inner.below = below;
        return inner;
    }

    FieldSet union(FieldSet other) {
        if (other.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        return union(List.of(this, other));
    }

    /** Returns the union of sets, in time linear in their total size. */
    static FieldSet union(List<FieldSet> sets) {
        if (sets.size() == 1) {
            return sets.getFirst();
        }
        var union = new FieldSet(sets.stream().anyMatch(FieldSet::self));
        var alike = new TreeMap<String, List<FieldSet>>();
        for (FieldSet set : sets) {
            set.below.forEach((step, node) ->
                    alike.computeIfAbsent(step, none -> new ArrayList<>(1)).add(node));
        }
        alike.forEach((step, nodes) -> union.put(step, union(nodes)));
        return union;
    }

    FieldSet difference(FieldSet other) {
        if (other.isEmpty()) {
            return this;
        }
        var difference = new FieldSet(self && !other.self);
        below.forEach((step, node) -> {
            FieldSet rest = other.below.containsKey(step) ? node.difference(other.at(step)) : node;
            if (!rest.isEmpty()) {
                difference.put(step, rest);
            }
        });
        return difference;
    }

    FieldSet intersection(FieldSet other) {
        var both = new FieldSet(self && other.self);
        below.forEach((step, node) -> {
            if (other.below.containsKey(step)) {
                FieldSet rest = node.intersection(other.at(step));
                if (!rest.isEmpty()) {
                    both.put(step, rest);
                }
            }
        });
        return both;
    }

    Map<String, FieldSet> below() {
        return below;
    }

    static FieldSet of(boolean self, Map<String, FieldSet> below) {
        var set = new FieldSet(self);
        set.below = below.isEmpty() ? Map.of() : new TreeMap<>(below);
        return set;
    }

    /** Passes the path of every member to an action, which must not keep it. */
    void forEachPath(Consumer<List<String>> action) {
        collect(new ArrayList<>(), action);
    }

    private void collect(List<String> at, Consumer<List<String>> action) {
        if (self) {
            action.accept(at);
        }
        below.forEach((step, node) -> {
            at.add(step);
            node.collect(at, action);
            at.removeLast();
        });
    }

    /** Returns a path as Kubernetes' messages write it, {@code .spec.containers[name="a"].image}; a long one is truncated. */
    static String shown(List<String> path) {
        return FieldErrorMessages.clipped(path.stream().map(FieldSet::shown).collect(Collectors.joining()), MAX_SHOWN);
    }

    /** Returns a step as Kubernetes' messages write it. */
    static String shown(String step) {
        String what = step.substring(2);
        return switch (step.charAt(0)) {
            case 'f' -> "." + what;
            case 'v' -> "[=" + what + "]";
            case 'k' -> {
                var parts = new ArrayList<String>();
                tree(what).properties().forEach(key -> parts.add(key.getKey() + "=" + key.getValue()));
                yield "[" + String.join(",", parts) + "]";
            }
            default -> "[" + what + "]";
        };
    }

    private static JsonNode tree(String text) {
        try {
            return ClientJson.read(JSON, text, 1);
        } catch (IOException e) {
            throw new IllegalStateException("a step is not JSON: " + text, e);
        }
    }

    ObjectNode json() {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        if (self && !below.isEmpty()) {
            object.putObject(SELF);
        }
        below.forEach((step, node) -> object.set(step, node.below.isEmpty() ? END : node.json()));
        return object;
    }

    /**
     * Reads the {@code fieldsV1} form.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    static FieldSet of(JsonNode json) {
        if (!json.isObject()) {
            throw new IllegalArgumentException("a field set must be an object");
        }
        return read(json, false);
    }

    private static FieldSet read(JsonNode json, boolean inner) {
        var set = new FieldSet(inner && (json.isEmpty() || json.has(SELF)));
        for (Map.Entry<String, JsonNode> entry : json.properties()) {
            if (!entry.getKey().equals(SELF)) {
                if (!entry.getValue().isObject()) {
                    throw new IllegalArgumentException("a field set must be an object");
                }
                set.put(step(entry.getKey()), read(entry.getValue(), true));
            }
        }
        return set;
    }

    /** Returns a step in canonical form, so that equivalent steps are equal. */
    private static String step(String text) {
        if (text.length() < 2 || text.charAt(1) != ':') {
            throw new IllegalArgumentException("not a path element: " + text);
        }
        if (text.charAt(0) == 'f' || isPlain(text)) {
            return text;
        }
        try {
            return switch (text.charAt(0)) {
                case 'i' -> "i:" + Integer.parseInt(text.substring(2));
                case 'v' -> value(ClientJson.read(JSON, text.substring(2), 1).require());
                case 'k' -> {
                    JsonNode key = ClientJson.read(JSON, text.substring(2), 1);
                    if (!key.isObject()) {
                        throw new IllegalArgumentException("not a path element: " + text);
                    }
                    var keys = new TreeMap<String, JsonNode>();
                    key.properties().forEach(field -> keys.put(field.getKey(), field.getValue()));
                    yield keys(keys);
                }
                default -> throw new IllegalArgumentException("not a path element: " + text);
            };
        } catch (IOException e) {
            throw new IllegalArgumentException("not a path element: " + text, e);
        }
    }

    /** Returns whether a step is <code>k:{"KEY":"TEXT"}</code> or {@code v:"TEXT"} without escapes, as most are: that is canonical. */
    private static boolean isPlain(String step) {
        int quotes = 0;
        for (int i = 2; i < step.length(); i++) {
            char c = step.charAt(i);
            if (c < ' ' || c == '\\') {
                return false;
            }
            quotes += c == '"' ? 1 : 0;
        }
        if (quotes == 2) {
            return step.startsWith("v:\"") && step.endsWith("\"");
        }
        int between = step.indexOf("\":\"");
        return quotes == 4
                && step.startsWith("k:{\"")
                && step.endsWith("\"}")
                && between > 3
                && between + 4 < step.length() - 1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldSet set && self == set.self && below.equals(set.below);
    }

    @Override
    public int hashCode() {
        return below.hashCode() * 2 + (self ? 1 : 0);
    }

    @Override
    public String toString() {
        return json().toString();
    }
}
