package io.plat.fronts.authzen;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A question as it was sent, perhaps incomplete.
 *
 * @param subject who
 * @param action does what
 * @param resource with which object
 * @param context the environment, values as in {@link Entity#properties}; null where it was left out
 */
record Question(
        Entity subject,
        Entity action,
        Entity resource,
        @Nullable Map<String, Object> context) {
    /** Size of a value besides its characters. */
    private static final int VALUE = 16;

    /** The values of an object that was left out. */
    static final SortedMap<String, Object> NOTHING = new TreeMap<>();

    /**
     * A subject, an action or a resource.
     *
     * @param type its type, or {@code ""}; an action has none
     * @param id its id, or the name of an action
     * @param identified whether it has an id, which may be {@code ""}
     * @param properties its properties: strings, booleans, longs, doubles, lists and sorted maps
     */
    record Entity(String type, String id, boolean identified, Map<String, Object> properties) {
        /** An entity that was left out. */
        static final Entity NONE = new Entity("", "", false, NOTHING);

        @SuppressWarnings("ReferenceEquality") // One without members was not left out.
        boolean isLeftOut() {
            return this == NONE;
        }

        Entity or(Entity other) {
            return isLeftOut() ? other : this;
        }

        /** Returns the size in characters, with some for each value. */
        int size() {
            return type.length() + id.length() + size(properties);
        }

        private static int size(Object value) {
            return VALUE
                    + switch (value) {
                        case String text -> text.length();
                        case Collection<?> list ->
                            list.stream().mapToInt(Entity::size).sum();
                        case Map<?, ?> map ->
                            map.entrySet().stream()
                                    .mapToInt(entry -> size(entry.getKey()) + size(entry.getValue()))
                                    .sum();
                        default -> 0;
                    };
        }

        Entity withId(String other) {
            return new Entity(type, other, true, properties);
        }
    }

    /** The parts of a question. */
    enum Part {
        SUBJECT,
        ACTION,
        RESOURCE
    }

    /** Returns this question with those parts of another one that it leaves out. */
    Question or(Question defaults) {
        return new Question(
                subject.or(defaults.subject),
                action.or(defaults.action),
                resource.or(defaults.resource),
                context == null ? defaults.context : context);
    }

    /** Returns this question about another subject, action or resource. */
    Question with(Part part, String id) {
        return switch (part) {
            case SUBJECT -> new Question(subject.withId(id), action, resource, context);
            case ACTION -> new Question(subject, action.withId(id), resource, context);
            case RESOURCE -> new Question(subject, action, resource.withId(id), context);
        };
    }
}
