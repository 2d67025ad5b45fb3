package io.plat.apiserver.resource;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * {@code metadata.generation}: how often what is wanted of an object has changed. Which types have one, and what changes it, is data
 * ({@code generations.txt}). Types go by the resource that stores them; no client sets the number.
 */
final class Generations {
    private static final String FIELD = "generation";

    private static final Map<String, List<JsonPointer>> COUNTED = read();

    private Generations() {}

    private static Map<String, List<JsonPointer>> read() {
        try (InputStream in =
                Objects.requireNonNull(Generations.class.getResourceAsStream("generations.txt"), "generations.txt")) {
            Map<String, List<JsonPointer>> counted = new HashMap<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> Arrays.asList(line.split(" +", -1)))
                    .forEach(words -> counted.put(
                            words.getFirst(),
                            words.stream()
                                    .skip(1)
                                    .map(field -> JsonPointer.compile("/" + field.replace('.', '/')))
                                    .toList()));
            return Map.copyOf(counted);
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own data can't be read", e);
        }
    }

    /** The types that have one. */
    static Set<String> types() {
        return COUNTED.keySet();
    }

    /** A new object. */
    static void begin(String storage, ObjectNode object) {
        if (COUNTED.containsKey(storage)) {
            Json.child(object, "metadata").put(FIELD, 1);
        }
    }

    /** A new state of an object, which still has the generation of the state before. */
    static void change(String storage, ObjectNode before, ObjectNode object) {
        for (JsonPointer field : COUNTED.getOrDefault(storage, List.of())) {
            if (!object.at(field).equals(before.at(field))) {
                grow(object);
                return;
            }
        }
    }

    /** The deletion of an object begins, of whichever type. */
    static void beginDeletion(ObjectNode object) {
        if (object.path("metadata").path(FIELD).asLong() > 0) {
            grow(object);
        }
    }

    private static void grow(ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.put(FIELD, metadata.path(FIELD).asLong() + 1);
    }
}
