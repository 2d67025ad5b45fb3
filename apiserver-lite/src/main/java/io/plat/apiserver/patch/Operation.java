package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** One operation of a JSON patch. */
sealed interface Operation {
    /** Makes the change; whether it could be made. */
    boolean applyTo(Application under);

    /** Puts a value where none is, or before the one in a list. */
    record Add(Pointer path, JsonNode value) implements Operation {
        @Override
        public boolean applyTo(Application under) {
            return under.add(path, value.deepCopy());
        }
    }

    /** Takes a value away. */
    record Remove(Pointer path) implements Operation {
        @Override
        public boolean applyTo(Application under) {
            return under.take(path).isPresent();
        }
    }

    /** Puts a value in the place of another. */
    record Replace(Pointer path, JsonNode value) implements Operation {
        @Override
        public boolean applyTo(Application under) {
            return under.replace(path, value.deepCopy());
        }
    }

    /** Takes a value from one place to another. */
    record Move(Pointer from, Pointer path) implements Operation {
        @Override
        public boolean applyTo(Application under) {
            Optional<JsonNode> value = under.take(from);
            return value.isPresent() && under.add(path, value.get());
        }
    }

    /** Puts a value into a further place. */
    record Copy(Pointer from, Pointer path) implements Operation {
        @Override
        public boolean applyTo(Application under) {
            Optional<JsonNode> value = under.value(from);
            return value.isPresent()
                    && under.mayCopy(value.get())
                    && under.add(path, value.get().deepCopy());
        }
    }

    /** Goes on only where a value is the expected one; null is also what is not there. */
    record Test(Pointer path, JsonNode value) implements Operation {
        @Override
        public boolean applyTo(Application under) {
            Optional<JsonNode> actual = under.value(path);
            return actual.isPresent() ? actual.get().equals(value) : value.isNull() && under.hasHolder(path);
        }
    }

    /** Something else, or without what it needs: it can't be made to any document. */
    record Impossible() implements Operation {
        @Override
        public boolean applyTo(Application under) {
            return false;
        }
    }

    /** The operation that an object describes. */
    static Operation of(ObjectNode object) {
        Optional<Pointer> path = place(object, "path");
        Optional<Pointer> from = place(object, "from");
        if (path.isEmpty()) {
            return new Impossible();
        }
        JsonNode value = object.has("value") ? object.path("value") : object.nullNode();
        return switch (object.path("op").asText()) {
            case "add" -> new Add(path.get(), value);
            case "remove" -> new Remove(path.get());
            case "replace" -> new Replace(path.get(), value);
            case "move" -> from.isPresent() ? new Move(from.get(), path.get()) : new Impossible();
            case "copy" -> from.isPresent() ? new Copy(from.get(), path.get()) : new Impossible();
            case "test" -> new Test(path.get(), value);
            default -> new Impossible();
        };
    }

    private static Optional<Pointer> place(ObjectNode object, String member) {
        JsonNode text = object.path(member);
        return text.isTextual() ? Pointer.parse(text.asText()) : Optional.empty();
    }
}
