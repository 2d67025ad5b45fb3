package io.plat.apiserver.type;

import io.plat.apiserver.rules.Quantity;
import io.plat.apiserver.schema.FieldWords;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.review.status.StatusException;
import java.util.Base64;

/**
 * Texts that stand for something else: what is stored can be read by clients of every representation, as the binary form holds bytes,
 * times and numbers where JSON holds texts.
 */
final class Formats {
    /** The most characters that are quoted of a text that is none of its format. */
    private static final int QUOTED = 100;

    private Formats() {}

    /**
     * Checks a text of a format of the schemas; {@code ""} and formats of plain texts have no rule.
     *
     * @throws StatusException 400 for a text that is not of the format
     */
    static void check(ResourceType type, String format, String text) throws StatusException {
        switch (format) {
            case "byte" -> checkBytes(type, text);
            case "date-time" -> checkTime(type, text);
            default -> {}
        }
    }

    private static void checkBytes(ResourceType type, String text) throws StatusException {
        String encoded = text.replace("\n", "").replace("\r", "");
        try {
            Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException e) {
            throw illegalBytes(type);
        }
        // The JDK reads what is not filled up to whole groups; clients of the field do not.
        if (encoded.length() % 4 != 0) {
            throw illegalBytes(type);
        }
    }

    private static StatusException illegalBytes(ResourceType type) {
        return Shape.cannotBeHandled(type, "illegal base64 data");
    }

    private static void checkTime(ResourceType type, String text) throws StatusException {
        if (!text.isEmpty() && Timestamps.parse(text).isEmpty()) {
            throw Shape.cannotBeHandled(
                    type,
                    "parsing time " + FieldWords.quoted(FieldWords.clipped(text, QUOTED))
                            + " as \"2006-01-02T15:04:05Z07:00\": cannot parse");
        }
    }

    /**
     * Checks an amount, such as {@code 100m} or {@code 1Gi}.
     *
     * @throws StatusException 400 for a text that is none
     */
    static void checkQuantity(ResourceType type, String text) throws StatusException {
        if (!text.isEmpty() && !Quantity.isQuantity(text)) {
            throw Shape.cannotBeHandled(
                    type,
                    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$': "
                            + FieldWords.quoted(FieldWords.clipped(text, QUOTED)));
        }
    }
}
