package io.plat.apiserver.representation.binary;

import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;

/** Failures of this package, all caused by the sender. */
final class MalformedInput {
    private static final int QUOTED = 64;

    private MalformedInput() {}

    /** Returns the failure for bytes that are not a valid message of the expected type. */
    static StatusException binary(String problem) {
        return new StatusException(StatusReason.BAD_REQUEST, "the binary object is malformed: " + problem);
    }

    /** Returns the failure for malformed JSON, or values of the wrong type. */
    static StatusException json(String problem) {
        return new StatusException(StatusReason.BAD_REQUEST, "the JSON object is malformed: " + problem);
    }

    /** Returns the failure for a type without a protobuf form. */
    static StatusException unknown(TypeMeta type) {
        return new StatusException(
                StatusReason.BAD_REQUEST,
                "no binary form is known of kind " + quoted(type.kind()) + " in version " + quoted(type.apiVersion()));
    }

    static StatusException tooLarge(int limit) {
        return new StatusException(
                StatusReason.REQUEST_ENTITY_TOO_LARGE,
                "the object is larger than " + limit + " bytes in its JSON form");
    }

    static String quoted(String value) {
        var quoted = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (i == QUOTED) {
                quoted.append("...");
                break;
            }
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else {
                quoted.append(c < ' ' || Character.isSurrogate(c) || c == 0x7f ? '?' : c);
            }
        }
        return quoted.append('"').toString();
    }
}
