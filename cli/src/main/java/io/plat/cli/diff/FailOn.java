package io.plat.cli.diff;

import io.plat.engine.access.PolicyChange;
import java.util.Locale;

/** What makes a change one that fails. */
enum FailOn {
    /** No change does. */
    NONE,
    /** One that grants anything to anybody. */
    WIDEN,
    /** One that grants or revokes anything. */
    ANY;

    boolean fails(PolicyChange change) {
        return switch (this) {
            case NONE -> false;
            case WIDEN -> !change.granted().isEmpty();
            case ANY -> !change.isEmpty();
        };
    }

    /** The word as it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
