package io.plat.cli.replay;

import io.plat.review.Attributes;

/**
 * A request that another policy decides otherwise.
 *
 * @param line where in the log it stands first, from 1
 * @param asked the request
 * @param now whether it is allowed now; it was the opposite
 */
record Flip(long line, Attributes asked, boolean now) {
    static String word(boolean allowed) {
        return allowed ? "allow" : "deny";
    }
}
