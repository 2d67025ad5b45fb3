package io.plat.engine.rbac.served;

/** An event of a watch (specification, "Events"). */
public sealed interface ServedEvent {
    /** The type of an event that ends a watch; its object is a Status. */
    String ERROR = "ERROR";

    /** An object was created or changed. */
    record Put(ReceivedObject object) implements ServedEvent {}

    /** An object was deleted; only its identity is meaningful. */
    record Removal(ReceivedObject object) implements ServedEvent {}

    /** All events up to a version have been sent. */
    record Bookmark(String version) implements ServedEvent {}

    /**
     * The watch failed.
     *
     * @param code the Status's code, 0 for none
     * @param reason the Status's reason, {@code ""} for none
     * @param message the Status's message as received
     */
    record Failure(int code, String reason, String message) implements ServedEvent {
        /** Returns whether the version that was watched from is no longer available. */
        public boolean isGone() {
            return code == 410 || reason.equals("Expired") || reason.equals("Gone");
        }
    }
}
