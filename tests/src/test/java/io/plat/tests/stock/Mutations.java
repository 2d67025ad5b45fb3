package io.plat.tests.stock;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Random changes of JSON objects. */
final class Mutations {
    /** Members that are rarely changed, as errors in them hide all others. */
    static final Set<String> TYPE = Set.of("apiVersion", "kind");

    /** Values that are invalid in most positions, in different ways. */
    private static final String VALUES = """
            ["", "a/b/c", "http", "::1", "\\u0000", "%25", "-x", "-5m", "Bad_Name!", "1Gi", "101%", "abc", "10.0.0.1", "*", "Always", "TCP", "\\u00e9",
             "9223372036854775808", "1e3", "0.5", "2026-01-01T00:00:00Z", "a=b", "LONG", -1, 0, 1, 1.5, 1e3, 65536, 2147483648, 99999999999,
             9223372036854775808, true, false, null, [], [null], {}, {"x": "y"}]""";

    private static final JsonNode PARSED = parsed();

    private final Random random;

    Mutations(Random random) {
        this.random = random;
    }

    private static JsonNode parsed() {
        try {
            return new ObjectMapper().readTree(VALUES.replace("LONG", "a".repeat(300)));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns one of the values. */
    JsonNode value() {
        return PARSED.get(random.nextInt(PARSED.size())).deepCopy();
    }

    /** Changes one or two positions of an object. */
    void mutate(JsonNode object) {
        int times = random.nextInt(4) == 0 ? 2 : 1;
        for (int i = 0; i < times; i++) {
            mutateOnce(object);
        }
    }

    /** Changes one position: another value, a missing or unknown member, an empty list, or a duplicate or missing item. */
    void mutateOnce(JsonNode root) {
        List<Runnable> mutations = new ArrayList<>();
        collect(root, mutations);
        if (!mutations.isEmpty()) {
            mutations.get(random.nextInt(mutations.size())).run();
        }
    }

    private void collect(JsonNode node, List<Runnable> mutations) {
        if (node instanceof ObjectNode object) {
            mutations.add(() -> {
                if (random.nextInt(3) == 0) {
                    object.put("bogus", 1);
                }
            });
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                String name = member.getKey();
                JsonNode value = member.getValue();
                if (TYPE.contains(name) && random.nextInt(20) > 0) {
                    continue;
                }
                mutations.add(() -> {
                    int choice = random.nextInt(100);
                    if (choice < 15) {
                        object.remove(name);
                    } else if (choice < 20 && value.isTextual()) {
                        object.put(name, value.textValue() + (choice < 18 ? " " : "X"));
                    } else if (choice < 30 && value instanceof ArrayNode list && !list.isEmpty()) {
                        if (choice < 25) {
                            list.add(list.get(0).deepCopy());
                        } else {
                            list.remove(random.nextInt(list.size()));
                        }
                    } else {
                        object.set(name, value());
                    }
                });
                collect(value, mutations);
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int index = i;
                mutations.add(() -> array.set(index, value()));
                collect(array.get(i), mutations);
            }
        }
    }
}
