package io.plat.apiserver.representation.binary;

import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;

/** The failures of this package, all of them the sender's. */
final class Malformed {
    private static final int QUOTED = 64;

    private Malformed() {}

    /** The bytes are no message in the wire format, or not one of the type they should be. */
    static StatusException binary(String problem) {
        return new StatusException(StatusReason.BAD_REQUEST, "the binary object is malformed: " + problem);
    }

    /** The JSON text is malformed, or its values are not of the types that the fields have. */
    static StatusException json(String problem) {
        return new StatusException(StatusReason.BAD_REQUEST, "the JSON object is malformed: " + problem);
    }

    /** The JSON form has more bytes than the reader is willing to hold. */
    static StatusException tooLarge(int limit) {
        return new StatusException(
                StatusReason.REQUEST_ENTITY_TOO_LARGE,
                "the object is larger than " + limit + " bytes in its JSON form");
    }

    /** A value as a message shows it: quoted, on one line and not too long. */
    static String quoted(String value) {
        var shown = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (i == QUOTED) {
                shown.append("...");
                break;
            }
            if (c == '"' || c == '\\') {
                shown.append('\\').append(c);
            } else {
                shown.append(c < ' ' || Character.isSurrogate(c) || c == 0x7f ? '?' : c);
            }
        }
        return shown.append('"').toString();
    }
}
