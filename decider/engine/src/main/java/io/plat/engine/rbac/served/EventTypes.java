package io.plat.engine.rbac.served;

import io.plat.review.source.Quoted;

/** What the type of an event makes of the object in it. */
final class EventTypes {
    static final String ERROR = "ERROR";

    private EventTypes() {}

    /**
     * An event about an object.
     *
     * @throws MalformedRolesException for a type that is not known, an object that does not tell which it is, or no version
     */
    static ServedEvent of(String type, ObjectDraft draft) throws MalformedRolesException {
        if (draft.version().isEmpty()) {
            throw new MalformedRolesException("an event of type " + Quoted.of(type) + " has no resource version");
        }
        return switch (type) {
            case "ADDED", "MODIFIED" -> new ServedEvent.Put(finish(type, draft));
            case "DELETED" -> new ServedEvent.Removal(finish(type, draft));
            case "BOOKMARK" -> new ServedEvent.Bookmark(draft.version());
            default -> throw new MalformedRolesException("an event has the unknown type " + Quoted.of(type));
        };
    }

    private static ServedObject finish(String type, ObjectDraft draft) throws MalformedRolesException {
        ServedObject object = draft.finish();
        if (object == null) {
            throw new MalformedRolesException("an event of type " + Quoted.of(type)
                    + " does not tell which object it is about: " + draft.problem());
        }
        return object;
    }
}
