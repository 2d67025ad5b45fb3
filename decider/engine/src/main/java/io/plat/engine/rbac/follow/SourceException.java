package io.plat.engine.rbac.follow;

import java.time.Duration;
import java.util.Objects;

/** A server did not answer what it was asked for. The message is one line for the operator, without secrets. */
final class SourceException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final transient Duration notBefore;

    /** What that means for what is asked next. */
    enum Kind {
        /** No answer, or only a part of one: the same may be asked again. */
        UNREACHABLE,
        /** An answer that refuses. */
        REFUSED,
        /** The version that was asked for is no longer kept (specification, "Errors"). */
        GONE,
        /** An answer that is none: what was missed can't be told. */
        MALFORMED
    }

    SourceException(Kind kind, String message) {
        this(kind, message, Duration.ZERO);
    }

    /**
     * A failure.
     *
     * @param notBefore how long the server asks to be left alone
     */
    SourceException(Kind kind, String message, Duration notBefore) {
        super(message, null, false, false);
        this.kind = Objects.requireNonNull(kind);
        this.notBefore = Objects.requireNonNull(notBefore);
    }

    Kind kind() {
        return kind;
    }

    Duration notBefore() {
        return notBefore;
    }
}
