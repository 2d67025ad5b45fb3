package io.plat.cli.replay;

import io.plat.review.Attributes;
import java.util.Objects;

/**
 * A decision that a log tells of.
 *
 * @param asked the request
 * @param allowed what was decided
 */
record Logged(Attributes asked, boolean allowed) {
    Logged {
        Objects.requireNonNull(asked);
    }
}
