package io.plat.engine.webhook;

import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a decider explains, by where it decides: on the same server, below the same prefix. */
final class ExplainingPaths {
    /** The addresses at which a decider takes reviews (contract, "decider"), behind whatever prefix a proxy adds. */
    private static final Pattern DECIDING =
            Pattern.compile("(.*?)(?:/apis/[^/]+/[^/]+/subjectaccessreviews|/authorize|/)?");

    private final URI decider;
    private final ReviewVersion version;

    ExplainingPaths(URI decider, ReviewVersion version) {
        this.decider = decider;
        this.version = version;
    }

    /** The address of one of the explaining types. */
    URI of(ReviewKind kind) {
        Matcher deciding = DECIDING.matcher(decider.getRawPath() == null ? "" : decider.getRawPath());
        String prefix = deciding.matches() ? deciding.group(1) : "";
        return decider.resolve(prefix + "/apis/" + version.apiVersion() + "/" + kind.resource());
    }
}
