package io.plat.apiserver.storage;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Failure of the store, as opposed to an unmet expectation. The message is one line for operators. */
public final class StorageException extends Exception {
    private static final long serialVersionUID = 1L;

    public enum Kind {
        /** No space left on the device. Nothing was written. */
        FULL,
        /** The files are not writable. Nothing was written. */
        READ_ONLY,
        /** Read data differs from what was written. */
        CORRUPT,
        /** Another process has the data open. */
        IN_USE,
        /** Another process may have opened the data, as the lock was removed. Nothing was written, and nothing more will be. */
        LOST,
        /** The data was written by an unsupported version of the program. */
        UNKNOWN_FORMAT,
        /** The object exceeds the limit of the backend. Nothing was written. */
        TOO_LARGE,
        /** Too many writes are pending. Nothing was written. */
        OVERLOADED,
        /** The store is closed. Nothing was written. */
        CLOSED,
        /** The backend is unreachable. Nothing was written. */
        UNAVAILABLE,
        /**
         * Device failure during an operation: a write may or may not have happened. The store recovers once the device works
         * again.
         */
        IO_ERROR,
        /** Connection failure during an operation: a write may or may not have happened. */
        UNCERTAIN
    }

    private final Kind kind;

    /** Creates a failure with a cause, which is logged. */
    public StorageException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind);
    }

    /** Creates a failure without a cause. */
    public StorageException(Kind kind, String message) {
        this(kind, message, null);
    }

    public Kind kind() {
        return kind;
    }
}
