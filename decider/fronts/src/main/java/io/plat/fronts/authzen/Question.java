package io.plat.fronts.authzen;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A question as it was sent, perhaps incomplete.
 *
 * @param subject who, or null where it was left out
 * @param action does what, or null where it was left out
 * @param resource with which object, or null where it was left out
 * @param context the environment; values as in {@link Entity#properties}
 */
record Question(
        @Nullable Entity subject,
        @Nullable Entity action,
        @Nullable Entity resource,
        @Nullable Map<String, Object> context) {
    /** The values of an object that was left out. */
    static final SortedMap<String, Object> NOTHING = new TreeMap<>();

    /**
     * A subject, an action or a resource.
     *
     * @param type its type, or null; an action has none
     * @param id its id, or the name of an action, or null
     * @param properties its properties: strings, booleans, longs, doubles, lists and sorted maps
     */
    record Entity(@Nullable String type, @Nullable String id, Map<String, Object> properties) {
        String requiredType() {
            return String.valueOf(type);
        }

        String requiredId() {
            return String.valueOf(id);
        }

        Entity withId(String other) {
            return new Entity(type, other, properties);
        }
    }

    /** The parts of a question. */
    enum Part {
        SUBJECT,
        ACTION,
        RESOURCE
    }

    Entity requiredSubject() {
        return subject == null ? new Entity(null, null, NOTHING) : subject;
    }

    Entity requiredAction() {
        return action == null ? new Entity(null, null, NOTHING) : action;
    }

    Entity requiredResource() {
        return resource == null ? new Entity(null, null, NOTHING) : resource;
    }

    /** Returns this question with those parts of another one that it leaves out. */
    Question or(Question defaults) {
        return new Question(
                subject == null ? defaults.subject : subject,
                action == null ? defaults.action : action,
                resource == null ? defaults.resource : resource,
                context == null ? defaults.context : context);
    }

    /** Returns this question about another subject, action or resource. */
    Question with(Part part, String id) {
        return switch (part) {
            case SUBJECT -> new Question(requiredSubject().withId(id), action, resource, context);
            case ACTION -> new Question(subject, requiredAction().withId(id), resource, context);
            case RESOURCE -> new Question(subject, action, requiredResource().withId(id), context);
        };
    }
}
