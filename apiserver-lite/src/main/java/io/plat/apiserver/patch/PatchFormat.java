package io.plat.apiserver.patch;

import java.util.Arrays;
import java.util.Optional;

/** Supported patch formats. */
public enum PatchFormat {
    /** List of operations (RFC 6902). */
    JSON("application/json-patch+json"),
    /** Partial document (RFC 7386). */
    MERGE("application/merge-patch+json"),
    /** Partial document with lists that are merged by schema, and directives. */
    STRATEGIC_MERGE("application/strategic-merge-patch+json");

    private final String mediaType;

    PatchFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }

    /** Returns the format of a media type in lower case without parameters; empty if unsupported. */
    public static Optional<PatchFormat> of(String mediaType) {
        return Arrays.stream(values())
                .filter(format -> format.mediaType.equals(mediaType))
                .findFirst();
    }
}
