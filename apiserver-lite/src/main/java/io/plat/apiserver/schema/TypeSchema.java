package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the values of a field, or the objects of a type, look like. Schemas may refer to themselves, so that they are walked along
 * values and never as a whole. Immutable or safely published; for any number of threads.
 */
public interface TypeSchema {
    /** What is known of values that nothing is said of: their fields are told apart by their names. */
    TypeSchema UNKNOWN = Definitions.none().read(MissingNode.getInstance());

    /** The forms that values have. */
    enum Form {
        /** Named fields, each with a schema of its own. */
        OBJECT,
        /** Any names, all with values of one schema. */
        MAP,
        /** Elements of one schema. */
        LIST,
        /** Text, perhaps of a {@link #format}. */
        TEXT,
        /** A whole number. */
        INTEGER,
        /** Any number. */
        NUMBER,
        /** True or false. */
        BOOLEAN,
        /** A number or a text. */
        INT_OR_STRING,
        /** An amount, which may be written as a number too. */
        QUANTITY,
        /** Anything; what is not {@link #atomic} is an object whose fields are known by their names alone. */
        ANY
    }

    /** How the elements of a list are told apart when it is changed by several. */
    enum ListKind {
        /** Not at all: the list is one value. */
        ATOMIC,
        /** By their values. */
        SET,
        /** By the values of their {@link #keys}. */
        MAP
    }

    /**
     * What a strategic merge patch does to a value.
     *
     * @param merges whether it goes into a list or an object; a list is replaced otherwise
     * @param key the field that tells the elements of a list apart; {@code ""} for elements that are texts or numbers
     */
    record Merging(boolean merges, String key) {}

    /** The form of values. */
    Form form();

    /** The fields of an {@link Form#OBJECT}; none elsewhere. */
    Map<String, TypeSchema> fields();

    /** Whether an object keeps the fields that {@link #fields} does not name. */
    boolean keepsUnknown();

    /** The schema of what a list or a map holds; of anything else, of anything. */
    TypeSchema element();

    /** Whether values are changed and owned as a whole; scalars are. */
    boolean atomic();

    /** How a list's elements are told apart. */
    ListKind listKind();

    /** The fields that tell the elements of a {@link ListKind#MAP} apart, in their order. */
    List<String> keys();

    /** What a strategic merge patch does. */
    Merging merging();

    /** The fields that an object must have. */
    Set<String> required();

    /** The texts that are allowed; none for any. */
    List<String> allowed();

    /** The format of a text or a number, such as {@code date-time} or {@code int32}; {@code ""} for none. */
    String format();

    /** What stands for the fields of an object that are not said; not to be changed. */
    Map<String, JsonNode> standards();

    /** The schema of a field, or of what a map or an object of any fields holds under a name; empty for a field that is not known. */
    default Optional<TypeSchema> at(String name) {
        return switch (form()) {
            case OBJECT -> {
                TypeSchema field = fields().get(name);
                yield Optional.ofNullable(field == null && keepsUnknown() ? UNKNOWN : field);
            }
            case MAP -> Optional.of(element());
            case ANY -> Optional.of(this);
            case LIST, TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY -> Optional.empty();
        };
    }
}
