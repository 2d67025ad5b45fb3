package io.plat.cli.replay;

import io.plat.review.Attributes;

/**
 * A decision in a log.
 *
 * @param line its line number, from 1; 0 if irrelevant
 */
record LoggedDecision(long line, Attributes asked, boolean allowed) {
    LoggedDecision at(long place) {
        return new LoggedDecision(place, asked, allowed);
    }
}
