package io.plat.apiserver.patch;

import java.util.Arrays;
import java.util.Optional;

/** The formats of patches that are read. */
public enum PatchFormat {
    /** A list of operations (RFC 6902). */
    JSON("application/json-patch+json"),
    /** A document of what shall be different (RFC 7386). */
    MERGE("application/merge-patch+json"),
    /** The same with lists that are merged by the schema, and directives. */
    STRATEGIC_MERGE("application/strategic-merge-patch+json");

    private final String mediaType;

    PatchFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** The media type that names it. */
    public String mediaType() {
        return mediaType;
    }

    /** The format of a media type, which is in lower case and without parameters; empty for any other. */
    public static Optional<PatchFormat> of(String mediaType) {
        return Arrays.stream(values())
                .filter(format -> format.mediaType.equals(mediaType))
                .findFirst();
    }
}
