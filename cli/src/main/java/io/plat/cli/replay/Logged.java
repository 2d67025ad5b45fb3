package io.plat.cli.replay;

import io.plat.review.Attributes;

/**
 * A decision in a log.
 *
 * @param line its line number, from 1; 0 if irrelevant
 * @param asked the request
 * @param allowed the outcome
 */
record Logged(long line, Attributes asked, boolean allowed) {
    Logged at(long place) {
        return new Logged(place, asked, allowed);
    }
}
