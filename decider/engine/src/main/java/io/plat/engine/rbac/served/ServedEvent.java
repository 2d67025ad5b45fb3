package io.plat.engine.rbac.served;

import java.util.Objects;

/** An event of a watch (specification, "Events"). */
public sealed interface ServedEvent {
    /** The type of an event that ends a watch; its object is a Status. */
    String ERROR = "ERROR";

    /** An object is there, new or changed. */
    record Put(ServedObject object) implements ServedEvent {
        public Put {
            Objects.requireNonNull(object);
        }
    }

    /** An object is gone; its state counts for nothing. */
    record Removal(ServedObject object) implements ServedEvent {
        public Removal {
            Objects.requireNonNull(object);
        }
    }

    /** Everything up to a version has been told. */
    record Bookmark(String version) implements ServedEvent {
        public Bookmark {
            Objects.requireNonNull(version);
        }
    }

    /**
     * The watch can't go on.
     *
     * @param code the Status's code, 0 for none
     * @param reason the Status's reason, {@code ""} for none
     * @param message the Status's message as it came
     */
    record Failure(int code, String reason, String message) implements ServedEvent {
        public Failure {
            Objects.requireNonNull(reason);
            Objects.requireNonNull(message);
        }

        /** Whether the version that was watched from is no longer kept. */
        public boolean gone() {
            return code == 410 || reason.equals("Expired") || reason.equals("Gone");
        }
    }
}
