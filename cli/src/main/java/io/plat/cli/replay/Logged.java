package io.plat.cli.replay;

import io.plat.review.Attributes;

/**
 * A decision that a log tells of.
 *
 * @param line where it stands in the log, from 1; 0 where that does not matter
 * @param asked the request
 * @param allowed what was decided
 */
record Logged(long line, Attributes asked, boolean allowed) {
    Logged at(long place) {
        return new Logged(place, asked, allowed);
    }
}
