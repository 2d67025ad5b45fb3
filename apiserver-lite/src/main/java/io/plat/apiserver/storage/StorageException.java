package io.plat.apiserver.storage;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The store could not do what it was asked to; never that an expectation did not hold. The message is one line for operators. */
public final class StorageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The kind of failure. */
    public enum Kind {
        /** No room left on the device. Nothing was written. */
        FULL,
        /** The files can't be written to. Nothing was written. */
        READ_ONLY,
        /** What was read back is not what was written. */
        CORRUPT,
        /** Another process has the data open. */
        IN_USE,
        /** Written by a version of the program that this one does not understand. */
        UNKNOWN_FORMAT,
        /** The object is larger than the backend takes. Nothing was written. */
        TOO_LARGE,
        /** Too many writes are waiting. Nothing was written. */
        OVERLOADED,
        /** The store is closed. Nothing was written. */
        CLOSED,
        /** The backend can't be reached. Nothing was written. */
        UNAVAILABLE,
        /** The device failed in the middle: a write may or may not have happened. The store goes on by itself once the device can be read and written. */
        IO_ERROR,
        /** The connection failed in the middle: a write may or may not have happened. */
        UNCERTAIN
    }

    private final Kind kind;

    /** A failure and, for the log, its cause. */
    public StorageException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind);
    }

    /** A failure of this program's own finding. */
    public StorageException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }
}
