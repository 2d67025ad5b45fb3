package io.plat.cli.policytest;

import io.plat.review.Attributes;
import io.plat.review.source.Location;
import java.util.Objects;

/**
 * What a test expects of one request.
 *
 * @param name what it is called
 * @param where it stands
 * @param asked the request
 * @param allowed whether it is to be allowed
 * @param reason what the decision's reason is to hold, {@code ""} for anything
 */
record PolicyCase(String name, Location where, Attributes asked, boolean allowed, String reason) {
    PolicyCase {
        Objects.requireNonNull(name);
        Objects.requireNonNull(where);
        Objects.requireNonNull(asked);
        Objects.requireNonNull(reason);
    }
}
