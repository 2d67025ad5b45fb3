package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;

/** Amounts that are absolute or relative: {@code 2} or {@code 25%}. */
final class Percentages {
    private static final Pattern FORM = Pattern.compile("[0-9]+%");
    private static final int MAX_LENGTH = 4;

    private Percentages() {}

    /**
     * Checks an amount, if present.
     *
     * @param ofAll whether it must not exceed 100%
     */
    static void check(Field amount, boolean ofAll) {
        if (amount.isNumber() && amount.number() < 0) {
            amount.invalidValue("must be greater than or equal to 0");
        }
        if (!amount.value().isTextual()) {
            return;
        }
        String text = amount.text();
        if (!FORM.matcher(text).matches()) {
            amount.invalid("a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
                    + " '93%', regex used for validation is '[0-9]+%')");
        } else if (ofAll && (text.length() > MAX_LENGTH || share(text) > 100)) {
            amount.invalid("must not be greater than 100%");
        }
    }

    /** Returns whether an amount is zero; an absent one is. */
    static boolean isNone(JsonNode amount) {
        String text = amount.asText();
        if (amount.isTextual()) {
            return FORM.matcher(text).matches() && text.length() <= MAX_LENGTH && share(text) == 0;
        }
        return amount.asLong() == 0;
    }

    private static int share(String text) {
        return Integer.parseInt(text.substring(0, text.length() - 1));
    }
}
