package io.plat.engine.matrix;

import io.plat.engine.Decision;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A matrix that could not be made: a decision that it needs was not made, or it took too long. */
public final class NoMatrixException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Decision.@Nullable Undecided undecided;

    NoMatrixException(Decision.Undecided undecided) {
        super(undecided.reason());
        this.undecided = Objects.requireNonNull(undecided);
    }

    NoMatrixException(String message) {
        super(message);
        this.undecided = null;
    }

    /** The decision that was not made; null where it took too long. */
    public Decision.@Nullable Undecided undecided() {
        return undecided;
    }
}
