package io.plat.tests.stock;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Derived requests: recorded objects with other values, and other combinations of paths, options, headers and bodies. The same seed gives
 * the same requests. They do not change stored objects.
 */
final class DerivedRequests {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<String> FIELD_VALIDATION =
            List.of("", "&fieldValidation=Strict", "&fieldValidation=Warn", "&fieldValidation=Ignore");

    private final Random random;
    private final Mutations mutations;
    private final List<Exchange> recorded;
    private final Map<String, List<Exchange>> areas;

    /** Valid objects by the path of their collection, without a namespace name. */
    private final Map<String, Exchange> objects = new LinkedHashMap<>();

    /** Additional valid objects, in the same form. */
    private final Map<String, List<ObjectNode>> extra = new HashMap<>();

    DerivedRequests(List<Exchange> recorded, List<JsonNode> more, long seed) {
        this.recorded = recorded;
        this.random = new Random(seed);
        this.mutations = new Mutations(random);
        this.areas = recorded.stream()
                .collect(Collectors.groupingBy(Exchange::area, LinkedHashMap::new, Collectors.toList()));
        for (Exchange exchange : in("create")) {
            objects.putIfAbsent(bare(exchange.path()), exchange);
        }
        for (JsonNode object : more) {
            byKind(object)
                    .ifPresent(like -> extra.computeIfAbsent(bare(like.path()), path -> new ArrayList<>())
                            .add((ObjectNode) object));
        }
    }

    private Optional<Exchange> byKind(JsonNode object) {
        return objects.values().stream()
                .filter(exchange -> parse(exchange.body()).path("kind").equals(object.path("kind"))
                        && parse(exchange.body()).path("apiVersion").equals(object.path("apiVersion")))
                .findFirst();
    }

    /** Returns this many requests, with the recorded frequencies of areas. */
    List<Exchange> next(int count) {
        List<Exchange> requests = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            Exchange derived = derive(one(recorded));
            requests.add(new Exchange(
                    i,
                    derived.area(),
                    derived.who(),
                    derived.method(),
                    derived.path(),
                    derived.headers(),
                    derived.body(),
                    derived.answer()));
        }
        return requests;
    }

    private Exchange derive(Exchange from) {
        return switch (from.area()) {
            case "create" -> create();
            case "update" -> update(from);
            case "patch json", "patch merge", "patch strategic", "patch apply" -> patch(from);
            case "path" -> {
                Exchange method = one(in("path"));
                yield with(one(in("path")), from.who(), method.method(), from.path(), method.headers(), method.body());
            }
            case "list", "accept" -> with(from, from.who(), "GET", query(from), headers(from), "");
            case "body" ->
                with(
                        from,
                        from.who(),
                        from.method(),
                        from.path(),
                        headers(from),
                        one(in("body")).body());
            case "forbidden" ->
                with(from, one(in("forbidden")).who(), from.method(), from.path(), from.headers(), from.body());
            default -> recombine(from);
        };
    }

    private Exchange create() {
        Exchange like = one(List.copyOf(objects.values()));
        List<ObjectNode> others = extra.getOrDefault(bare(like.path()), List.of());
        JsonNode object =
                !others.isEmpty() && random.nextInt(6) == 0 ? one(others).deepCopy() : parse(like.body());
        mutations.mutate(object);
        String path = bare(like.path()) + "?dryRun=All" + one(FIELD_VALIDATION);
        return with(like, "admin", "POST", path, like.headers(), text(object));
    }

    private Exchange update(Exchange from) {
        JsonNode object = parse(valid(from).body());
        mutations.mutate(object);
        return with(from, from.who(), "PUT", from.path() + one(FIELD_VALIDATION), from.headers(), text(object));
    }

    /** Returns a recorded successful update of the same object, else a recorded create of the type. */
    private Exchange valid(Exchange from) {
        List<Exchange> updates = matching(
                "update",
                update -> update.answer().status() == 200 && bare(update.path()).equals(bare(from.path())));
        String collection = bare(from.path()).replaceFirst("/[^/]+$", "");
        return updates.isEmpty() ? objects.getOrDefault(collection, from) : updates.getFirst();
    }

    private Exchange patch(Exchange from) {
        JsonNode object = parse(valid(from).body());
        String body;
        if (from.area().equals("patch json")) {
            body = text(operations(object));
        } else {
            ObjectNode patch = JSON.createObjectNode();
            for (int i = random.nextInt(4) == 0 ? 2 : 1; i > 0; i--) {
                excerpt(object, patch);
            }
            if (from.area().equals("patch apply")) {
                patch.set("apiVersion", object.path("apiVersion"));
                patch.set("kind", object.path("kind"));
                ObjectNode metadata = patch.path("metadata").isObject()
                        ? (ObjectNode) patch.path("metadata")
                        : JSON.createObjectNode();
                patch.set("metadata", metadata.put("name", bare(from.path()).replaceFirst(".*/", "")));
            }
            body = text(patch);
        }
        String path = from.area().equals("patch json") || random.nextInt(3) > 0
                ? from.path()
                : from.path() + one(FIELD_VALIDATION);
        return with(from, from.who(), "PATCH", path, from.headers(), body);
    }

    /** Adds the path to a member of an object to a patch, with another value. */
    private void excerpt(JsonNode from, ObjectNode into) {
        List<String> names = new ArrayList<>();
        from.fieldNames().forEachRemaining(names::add);
        names.removeAll(Mutations.TYPE);
        if (names.isEmpty()) {
            into.set("bogus", mutations.value());
            return;
        }
        String name = one(names);
        JsonNode value = from.path(name);
        if (value.isObject() && !name.equals("name") && random.nextInt(5) > 0) {
            JsonNode existing = into.path(name);
            excerpt(value, existing.isObject() ? (ObjectNode) existing : into.putObject(name));
        } else if (value.isArray() && random.nextInt(3) > 0) {
            JsonNode item = value.isEmpty() ? mutations.value() : value.get(0).deepCopy();
            if (item.isObject() && random.nextBoolean()) {
                mutations.mutateOnce(item);
            } else {
                item = mutations.value();
            }
            into.putArray(name).add(item);
        } else {
            into.set(random.nextInt(20) == 0 ? "bogus" : name, mutations.value());
        }
    }

    private ArrayNode operations(JsonNode object) {
        ArrayNode operations = JSON.createArrayNode();
        for (int i = random.nextInt(5) == 0 ? 2 : 1; i > 0; i--) {
            String pointer = pointer(object, "");
            String name = one(List.of("add", "replace", "remove", "test", "copy", "move", "replace", "add", "bogus"));
            ObjectNode operation = operations.addObject().put("op", name).put("path", pointer);
            switch (name) {
                case "copy", "move" ->
                    operation.put("from", random.nextBoolean() ? "/metadata/labels" : pointer(object, ""));
                case "add", "replace", "test" -> operation.set("value", mutations.value());
                default -> {}
            }
        }
        return operations;
    }

    private String pointer(JsonNode node, String at) {
        if (!node.isContainerNode() || node.isEmpty() || (!at.isEmpty() && random.nextInt(6) == 0)) {
            return at;
        }
        if (node.isArray()) {
            int index = random.nextInt(node.size());
            return random.nextInt(8) == 0 ? at + "/-" : pointer(node.get(index), at + "/" + index);
        }
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        if (random.nextInt(20) > 0) {
            names.removeAll(Mutations.TYPE);
        }
        String name = one(names);
        return pointer(node.path(name), at + "/" + name);
    }

    /** Combines path, user, headers, options and body of an area, where they fit. */
    private Exchange recombine(Exchange from) {
        List<Exchange> alike = matching(
                from.area(),
                other -> other.method().equals(from.method())
                        && bare(other.path()).equals(bare(from.path())));
        String body = from.body();
        if (!body.isEmpty() && parse(body) instanceof ObjectNode object) {
            JsonNode other = parse(one(alike).body());
            ObjectNode mixed = other.isObject() ? (ObjectNode) mix(object, other) : object;
            if (random.nextInt(5) < 2) {
                mutations.mutateOnce(mixed);
            }
            if (from.method().equals("DELETE") && !mixed.path("dryRun").isArray()) {
                mixed.putArray("dryRun").add("All");
            }
            body = text(mixed);
        }
        String path = from.method().equals("DELETE") ? query(from) : one(alike).path();
        return with(from, one(in(from.area())).who(), from.method(), path, headers(from), body);
    }

    private JsonNode mix(JsonNode one, JsonNode other) {
        if (!one.isObject() || !other.isObject()) {
            return random.nextBoolean() ? one : other;
        }
        ObjectNode mixed = JSON.createObjectNode();
        Set<String> names = new LinkedHashSet<>();
        one.fieldNames().forEachRemaining(names::add);
        other.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            JsonNode member = mix(one.path(name), other.path(name));
            if (!member.isMissingNode()) {
                mixed.set(name, member);
            }
        }
        return mixed;
    }

    /** Options of the area, with recorded values. */
    private String query(Exchange from) {
        List<String> known = matching(from.area(), other -> other.method().equals(from.method())).stream()
                .map(Exchange::path)
                .filter(path -> path.contains("?"))
                .flatMap(path -> Stream.of(path.substring(path.indexOf('?') + 1).split("&")))
                .toList();
        List<String> options = new ArrayList<>();
        for (int i = known.isEmpty() ? 0 : random.nextInt(4); i > 0; i--) {
            options.add(one(known));
        }
        options.removeIf(option -> option.startsWith("dryRun="));
        if (from.method().equals("DELETE")) {
            options.addFirst("dryRun=All");
        }
        return bare(from.path()) + (options.isEmpty() ? "" : "?" + String.join("&", options));
    }

    private List<Exchange> in(String area) {
        return areas.getOrDefault(area, List.of());
    }

    private Map<String, String> headers(Exchange from) {
        Map<String, String> headers = new LinkedHashMap<>(from.headers());
        one(in(from.area())).headers().forEach((name, value) -> {
            if (!name.equals("Content-Type") || from.area().equals("body")) {
                headers.put(name, value);
            }
        });
        if (from.area().equals("impersonation")) {
            headers.keySet().removeIf(name -> random.nextInt(3) == 0);
        }
        return headers;
    }

    private List<Exchange> matching(String area, Predicate<Exchange> test) {
        return in(area).stream().filter(test).toList();
    }

    private static Exchange with(
            Exchange like, String who, String method, String path, Map<String, String> headers, String body) {
        boolean writes = Set.of("POST", "PUT", "PATCH", "DELETE").contains(method)
                && !bare(path).contains("reviews");
        String dry = !writes || path.contains("dryRun=") ? "" : path.contains("?") ? "&dryRun=All" : "?dryRun=All";
        Answer none = new Answer(0, "", MissingNode.getInstance(), List.of());
        return new Exchange(0, like.area(), who, method, path + dry, headers, body, none);
    }

    private <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static JsonNode parse(String body) {
        try {
            return body.isEmpty()
                    ? MissingNode.getInstance()
                    : JSON.readTree(body.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    private static String text(JsonNode node) {
        try {
            return new String(JSON.writeValueAsBytes(node), StandardCharsets.ISO_8859_1);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String bare(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }
}
