package io.plat.fronts.authzen;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An access evaluation as sent, possibly incomplete.
 *
 * @param context the environment, values as in {@link Entity#properties}; null if omitted
 */
record EvaluationRequest(
        Entity subject,
        Entity action,
        Entity resource,
        @Nullable Map<String, Object> context) {
    /** Size of a value without its characters. */
    private static final int VALUE = 16;

    /** The properties of an omitted object. */
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
        /** An omitted entity. */
        static final Entity NONE = new Entity("", "", false, NOTHING);

        @SuppressWarnings("ReferenceEquality") // An entity without members counts as present.
        boolean isOmitted() {
            return this == NONE;
        }

        Entity or(Entity other) {
            return isOmitted() ? other : this;
        }

        /** Returns the approximate size, in characters. */
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

    enum Part {
        SUBJECT,
        ACTION,
        RESOURCE
    }

    /** Returns this evaluation, with omitted parts taken from another one. */
    EvaluationRequest or(EvaluationRequest defaults) {
        return new EvaluationRequest(
                subject.or(defaults.subject),
                action.or(defaults.action),
                resource.or(defaults.resource),
                context == null ? defaults.context : context);
    }

    /** Returns this evaluation for another subject, action or resource. */
    EvaluationRequest with(Part part, String id) {
        return switch (part) {
            case SUBJECT -> new EvaluationRequest(subject.withId(id), action, resource, context);
            case ACTION -> new EvaluationRequest(subject, action.withId(id), resource, context);
            case RESOURCE -> new EvaluationRequest(subject, action, resource.withId(id), context);
        };
    }
}
