package io.plat.engine.rbac.manifest;

/**
 * A value in which an object may differ from one of the same shape.
 *
 * @param kind what the value is
 * @param subject which subject of a binding it is of, counted from 0
 * @param from where it begins
 * @param to where it ends
 */
record PlainSlot(Kind kind, int subject, int from, int to) {
    /** What a value is. */
    enum Kind {
        /** The object's name. */
        NAME,
        /** The object's namespace. */
        NAMESPACE,
        /** The name of the role that a binding gives. */
        ROLE,
        /** A subject's name. */
        SUBJECT_NAME,
        /** A subject's namespace. */
        SUBJECT_NAMESPACE,
        /** Of metadata that nothing follows from, such as a uid. */
        UNREAD,
        /** A line of text of such metadata, as an annotation has it. */
        LINE
    }
}
